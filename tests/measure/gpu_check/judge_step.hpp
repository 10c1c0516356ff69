#pragma once
/// \file
/// Judges one training step of the bundled model's sizes, with each kind of products: loss and gradient in float beside
/// those in double on the same device, and replays, which must repeat them to the bit, also if kernels may start early.

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "gradus/device/products.hpp"
#include "measure/gpu_check/parts.hpp"

namespace gradus::test {

struct StepJudgeOptions {
  bool is_tiny = false;      ///< sizes for the host layer
  std::size_t replays = 20;  ///< of the recorded step, for each kind of products
  PartOptions parts;
};

struct JudgedStep {
  Products products{};
  double loss = 0;                      ///< relative difference
  double gradient = 0;                  ///< norm of the difference, relative to the gradient's norm
  double bound = 0;                     ///< of both
  bool same_bits = true;                ///< plain, recorded, and in each replay
  bool starts_early = false;            ///< whether kernels can start early here
  std::optional<bool> same_bits_early;  ///< the same bits if they may; none: not judged
  bool passed() const { return same_bits && same_bits_early.value_or(true) && loss <= bound && gradient <= bound; }
};

/// The largest allowed difference: rounding in a composition of float, or of factors of 11 or 8 bits.
double step_bound(Products products);

/// Judges all kinds of products, and then all of them once more with early starts, because a fault of such a kernel would end all work
/// on the GPU. Each row is printed as soon as it is known, and written to the section "judged step" of a result, if `result` names a file.
Outcome judge_steps(const StepJudgeOptions& options, const std::string& result, std::ostream& log);

}  // namespace gradus::test
