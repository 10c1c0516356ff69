#pragma once
/// \file
/// The values that change from step to step. They are in device memory and never in an argument list, so that one
/// recorded step can be replayed for every batch.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus {

/// The two sides of a sentence pair. Each side numbers its own tokens.
enum class Side { source, target };

struct StepState {
  std::uint64_t seed = 1;  ///< of the run: the key of every random draw
  std::uint32_t step = 0;  ///< counted from 1 in training
  double learning_rate = 0;
  double inverse_tokens = 1;     ///< 1 / target tokens of the whole batch: makes the loss a mean
  std::uint32_t source_row = 0;  ///< number of source tokens, without padding, in the micro-batches before this one
  std::uint32_t target_row = 0;  ///< the same for target tokens
  std::uint32_t first_pair = 0;  ///< first pair of this micro-batch, in the order of the epoch
  std::uint32_t pairs = 0;       ///< number of pairs in this micro-batch

  constexpr std::uint32_t first_row(Side side) const { return side == Side::source ? source_row : target_row; }
};

/// The sizes that determine the launches of a step. Two steps of one device with the same sizes launch the same
/// kernels, in the same order, with the same addresses.
using StepSizes = std::vector<std::size_t>;

/// Sets a device's flag for the duration of a step.
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
