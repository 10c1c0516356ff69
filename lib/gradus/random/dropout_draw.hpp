#pragma once
/// \file
/// Which units a dropout keeps. The answer is the same on every device, for every scalar type and every way to cut
/// a batch, because the draw depends on the token's number in the batch and on no choice of the device.

#include <array>
#include <cstddef>
#include <cstdint>

#include "gradus/device/step_state.hpp"
#include "gradus/random/philox.hpp"

namespace gradus {

/// One place of the model that drops units (Srivastava et al. 2014).
struct Dropout {
  double rate = 0;           ///< probability to drop, in [0, 1); 0 switches it off
  std::uint32_t site = 0;    ///< 16 x layer + number of the place: see chapters/00_foundations/ground.md
  Side side = Side::source;  ///< the side whose tokens the rows are
};

/// round(rate 2^32): random words below it drop their unit.
constexpr std::uint64_t dropout_threshold(double rate) {
  const double words = rate * 4294967296.0;
  const auto whole = static_cast<std::uint64_t>(words);
  return whole + (words - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

/// The draws of one tensor in one step.
/// Counter = {column / 4, row x heads + head, site, step}, word = column mod 4, key = seed.
struct DropoutDraw {
  std::uint64_t seed = 0, threshold = 0;
  std::uint32_t site = 0, step = 0, first_row = 0;
  double kept_factor = 1;  ///< 1 / (1 - rate): keeps the expectation of a unit unchanged

  constexpr DropoutDraw(const Dropout& dropout, const StepState& state)
      : seed(state.seed),
        threshold(dropout_threshold(dropout.rate)),
        site(dropout.site),
        step(state.step),
        first_row(state.first_row(dropout.side)),
        kept_factor(1 / (1 - dropout.rate)) {}

  constexpr bool active() const { return threshold != 0; }

  /// 0 or 1 / (1 - rate) for the columns 4 quad .. 4 quad + 3 of local row `row`, four words of
  /// one counter (outside attention: heads = 1, head = 0).
  template <class Real = double>
  constexpr std::array<Real, 4> factors(std::size_t row, std::size_t quad, std::size_t heads = 1,
                                        std::size_t head = 0) const {
    if (!active()) return {1, 1, 1, 1};
    const auto draw_row = static_cast<std::uint32_t>((first_row + row) * heads + head);
    const Philox4 words = philox({static_cast<std::uint32_t>(quad), draw_row, site, step}, seed);
    const auto kept = static_cast<Real>(kept_factor);
    return {words[0] >= threshold ? kept : Real(0), words[1] >= threshold ? kept : Real(0),
            words[2] >= threshold ? kept : Real(0), words[3] >= threshold ? kept : Real(0)};
  }

  /// The same for one column.
  constexpr double factor(std::size_t row, std::size_t column, std::size_t heads = 1, std::size_t head = 0) const {
    return factors(row, column / 4, heads, head)[column % 4];
  }
};

}  // namespace gradus
