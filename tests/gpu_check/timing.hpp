#pragma once
/// \file
/// What a GPU takes for the kernels, a training step and a translation, beside the ceilings that the same run measured.

#include <functional>
#include <iosfwd>
#include <string>

#include "09_transformer/config.hpp"
#include "10_training/batches.hpp"
#include "gpu_check/result.hpp"
#include "gpu_check/stopwatch.hpp"

namespace gradus::test {

struct TimingSizes {
  std::vector<std::size_t> tokens{4096, 8192, 25000};  ///< of a batch, each side
  std::vector<std::size_t> rows{4096, 262144};         ///< of a layer norm: as in a step, and more than caches hold
  std::size_t copied = std::size_t{1} << 28;           ///< floats
  std::size_t gemm = 4096;                             ///< of a square product
  std::size_t batches = 8;                             ///< of each size
  std::size_t sentences = 1000;                        ///< to translate
  std::vector<std::size_t> search_batches{48, 256};    ///< sentences translated together
  std::size_t recorded = 20;                           ///< calls of a kernel in a recording
  bool is_tiny = false;

  static TimingSizes tiny();  ///< what the host layer gets through in a moment
};

/// Collects rows, and tells each as it comes.
class TimingTable {
 public:
  explicit TimingTable(std::ostream& log) : log_(log) {}

  /// `amount` of `unit` is done in the time; the unit's name ends in "/s".
  void add(const std::string& name, const Timing& timing, double amount, const std::string& unit);
  std::string section();  ///< JSON of the rows so far, which are forgotten

 private:
  std::ostream& log_;
  Members rows_;
};

void time_ceilings(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, TimingTable& table);
void time_kernels(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, const IdPairs& pairs,
                  TimingTable& table);
void time_steps(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, const IdPairs& pairs,
                TimingTable& table);
void time_translation(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model,
                      const IdPairs& pairs, TimingTable& table);

struct TimingOptions {
  std::string ids;     ///< a file of ids; none: made sentences
  std::string result;  ///< where the section "times" goes, after each group of rows
  int repetitions = 11;
  double seconds = 0.05;  ///< of a repetition, at least
  bool is_tiny = false;
};
void time_all(const TimingOptions& options, std::ostream& log);

}  // namespace gradus::test
