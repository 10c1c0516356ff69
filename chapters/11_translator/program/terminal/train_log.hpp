#pragma once
/// \file
/// A training as lines of JSON, for programs that watch it: one a step, a validation, an end.

#include <chrono>
#include <fstream>
#include <string>

#include "11_translator/training/training_run.hpp"

namespace gradus {

class TrainLog {
 public:
  /// Adds to the file; no name: says nothing. The file is made with the first line, since a training that is refused
  /// leaves nothing behind, and `run`, the training's folder, may be there only by then. Throws Error where no file
  /// can be.
  TrainLog(const std::string& path, const std::string& run);

  void step(const StepReport& report, std::uint32_t all_steps);
  void validation(const ValidationRecord& record, bool is_best);
  void end(const std::string& how);
  void failed();  ///< an end too, if there was a beginning

 private:
  template <class Json>
  void write(const Json& json);

  std::string path_;  ///< empty: says nothing
  std::ofstream file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gradus
