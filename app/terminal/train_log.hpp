#pragma once
/// \file
/// A training as lines of JSON, for programs that watch it: one for each step, each validation and the end.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/training/training_run.hpp"
#include "gradus/io/descriptor.hpp"

namespace gradus {

class TrainLog {
 public:
  /// Appends to the file; with an empty name it writes nothing. The first line creates the file: a training that is
  /// refused leaves no file. The first of `folders` is that of the run, which may not exist before; no link in one of them is
  /// followed. Throws Error if the file cannot be created.
  TrainLog(const std::string& path, const std::vector<std::string>& folders);

  void begin();  ///< the training begins: "seconds" counts from here; without it, from the log's own beginning
  void step(const StepReport& report, std::uint32_t all_steps);
  void validation(const ValidationRecord& record, bool is_best);
  void end(const std::string& how);
  void failed();  ///< writes an end too, if a begin was written

 private:
  template <class Json>
  void write(const Json& json);

  std::string path_;  ///< empty: no log
  std::vector<std::string> folders_;
  std::optional<Descriptor> file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gradus
