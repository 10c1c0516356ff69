#pragma once
/// \file
/// Judges one training step of the bundled model's sizes, with each kind of products: loss and gradient in float beside
/// those in double on the same device, and replays, which must repeat them to the bit, also if kernels may start early.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "gradus/device/products.hpp"

namespace gradus::test {

struct StepJudgeOptions {
  bool is_tiny = false;      ///< sizes for the host layer
  std::size_t replays = 20;  ///< of the recorded step, for each kind of products
};

struct JudgedStep {
  Products products{};
  double loss = 0;              ///< relative difference
  double gradient = 0;          ///< norm of the difference, relative to the gradient's norm
  double bound = 0;             ///< of both
  bool same_bits = true;        ///< plain, recorded, and in each replay
  bool starts_early = false;    ///< whether kernels can start early here
  bool same_bits_early = true;  ///< the same bits if they may
  bool passed() const { return same_bits && same_bits_early && loss <= bound && gradient <= bound; }
};

/// The largest allowed difference: rounding in a composition of float, or of factors of 11 or 8 bits.
double step_bound(Products products);

/// With all kinds of products.
std::vector<JudgedStep> judged_steps(const StepJudgeOptions& options);

/// Prints a line for each and writes the section "judged step" of a result, if `result` names a file. Returns whether all passed.
bool judge_steps(const StepJudgeOptions& options, const std::string& result, std::ostream& log);

}  // namespace gradus::test
