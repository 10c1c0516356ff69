#pragma once
/// \file
/// The times of the kernels, a training step and a translation on a GPU, and the machine's limits from the same
/// run.

#include <functional>
#include <iosfwd>
#include <string>

#include "09_transformer/config.hpp"
#include "10_training/data/batches.hpp"
#include "measure/gpu_check/parts.hpp"
#include "measure/gpu_check/result.hpp"
#include "measure/gpu_check/stopwatch.hpp"

namespace gradus::test {

struct TimingSizes {
  std::vector<std::size_t> tokens{4096, 8192, 25000};  ///< of a batch, each side
  /// of a layer norm: a usual number, and more than the caches hold
  std::vector<std::size_t> rows{4096, 262144};
  std::size_t copied = std::size_t{1} << 28;         ///< floats
  std::size_t gemm = 4096;                           ///< of a square product
  std::size_t ladder = 1024;                         ///< of one by the steps of the ladder, which are slower
  std::size_t batches = 8;                           ///< of each size
  std::size_t sentences = 1000;                      ///< to translate
  std::vector<std::size_t> search_batches{48, 256};  ///< sentences translated together
  std::size_t recorded = 20;                         ///< calls of a kernel in a recording
  bool is_tiny = false;

  static TimingSizes tiny();  ///< sizes that the host layer computes quickly
};

/// Collects rows in groups. Each row is a part of the run: it is printed and saved as soon as it is known.
class TimingTable {
 public:
  TimingTable(PartOptions options, std::ostream& log, std::function<void()> save)
      : parts_(std::move(options), log), log_(log), save_(std::move(save)) {}

  /// The rows of f are a group of this name. If f itself fails, other groups go on.
  void group(const std::string& name, const std::function<void()>& f);
  /// In `measure`, `amount` of `unit` is done; the unit's name ends in "/s".
  void add(const std::string& name, const std::function<Timing()>& measure, double amount, const std::string& unit);
  /// Calls f, which makes what some rows of the group need. If it fails, other rows go on.
  void several(const std::string& name, const std::function<void()>& f);

  Members groups() const;  ///< JSON of the rows so far, and of the errors
  Outcome outcome() const { return parts_.outcome(true); }

 private:
  Parts parts_;
  std::ostream& log_;
  std::function<void()> save_;
  std::vector<std::pair<std::string, Members>> groups_;
};

void time_ceilings(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, TimingTable& table);
void time_kernels(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, const IdPairs& pairs,
                  TimingTable& table);
void time_steps(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, const IdPairs& pairs,
                TimingTable& table);
/// The steps once more, with kernels that may start early. A fault of these would end all work on the GPU, so they come last.
void time_early_starts(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model,
                       const IdPairs& pairs, TimingTable& table);
void time_translation(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model,
                      const IdPairs& pairs, TimingTable& table);

struct TimingOptions {
  std::string ids;     ///< a file of ids; none: made sentences
  std::string result;  ///< file for the section "times", written after each row
  int repetitions = 11;
  double seconds = 0.05;  ///< of a repetition, at least
  bool is_tiny = false;
  PartOptions parts;
};
Outcome time_all(const TimingOptions& options, std::ostream& log);

}  // namespace gradus::test
