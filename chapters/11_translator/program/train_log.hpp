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
  /// Adds to the file; no name: says nothing. Throws Error if it cannot be opened.
  explicit TrainLog(const std::string& path);

  void step(const StepReport& report, std::uint32_t all_steps);
  void validation(const ValidationRecord& record, bool is_best);
  void end(const std::string& how);

 private:
  template <class Json>
  void write(const Json& json);

  std::string path_;
  std::ofstream file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gradus
