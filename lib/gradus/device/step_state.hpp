#pragma once
/// \file
/// What changes from step to step. It lives in the device and never in an argument list, so that a step recorded
/// once can be replayed for every batch.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus {

/// The two sides of a sentence pair: they number their tokens separately.
enum class Side { source, target };

struct StepState {
  std::uint64_t seed = 1;  ///< of the run: the key of every random draw
  std::uint32_t step = 0;  ///< counted from 1 in training
  double learning_rate = 0;
  double inverse_tokens = 1;     ///< 1 / target tokens of the whole batch: makes the loss a mean
  std::uint32_t source_row = 0;  ///< real source tokens of the batch before this micro-batch's first
  std::uint32_t target_row = 0;  ///< the same for target tokens
  std::uint32_t first_pair = 0;  ///< of this micro-batch, in the order in which an epoch takes its pairs
  std::uint32_t pairs = 0;       ///< so many from there on

  constexpr std::uint32_t first_row(Side side) const { return side == Side::source ? source_row : target_row; }
};

/// The sizes that the launches of a step depend on. Two steps of one device that have the same sizes are the same
/// sequence of launches, with the same addresses in them.
using StepSizes = std::vector<std::size_t>;

/// Raises a device's flag for the time of a step.
class InStep {
 public:
  explicit InStep(bool& flag) : flag_(flag) { flag_ = true; }
  ~InStep() { flag_ = false; }
  InStep(const InStep&) = delete;
  InStep& operator=(const InStep&) = delete;

 private:
  bool& flag_;
};

}  // namespace gradus
