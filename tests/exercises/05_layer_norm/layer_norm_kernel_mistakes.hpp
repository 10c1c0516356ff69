#pragma once
/// \file
/// Mistakes of a kernel of the layer norm, computed on the processor. Code without warps and blocks cannot make them.

#include <array>
#include <cmath>
#include <limits>

#include "05_layer_norm/layer_norm.hpp"

namespace gradus::wrong {

/// A call of warp_sum is missing: each lane then uses the sum of its own columns (lane, lane + 32, ...) as if it were the
/// sum of the row. The bits of `left_out` say which sums are affected: 1 is the sum of x, 2 of the squares, 4 of g, 8 of
/// g xhat.
template <class Base, unsigned left_out>
struct LaneSums : Base {};

/// The sum of term(d) over the columns d of a row, as each of the 32 lanes has it: the whole sum, or, if warp_sum is left
/// out, that of the lane's own columns.
template <class Term>
std::array<double, 32> lane_sums(std::size_t D, bool is_left_out, const Term& term) {
  std::array<double, 32> sums{};
  double all = 0;
  for (std::size_t d = 0; d < D; ++d) sums[d % 32] += term(d), all += term(d);
  if (!is_left_out) sums.fill(all);
  return sums;
}

template <class Base, unsigned left_out>
void layer_norm_forward(LaneSums<Base, left_out>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                        const NormParams<Base>& p) {
  check_layer_norm<Base>(y, x, p);
  const auto [N, D] = x.extent;
  const double width = static_cast<double>(D);
  cache = {dev.kept.vector(N), dev.kept.vector(N)};
  for (std::size_t n = 0; n < N; ++n) {
    const double* const in = x.row(n);
    const auto sum = lane_sums(D, left_out & 1, [&](std::size_t d) { return in[d]; });
    const auto from_mean = [&](std::size_t d) { return in[d] - sum[d % 32] / width; };
    const auto squares = lane_sums(D, left_out & 2, [&](std::size_t d) { return from_mean(d) * from_mean(d); });
    const auto rstd = [&](std::size_t lane) { return 1 / std::sqrt(squares[lane] / width + layer_norm_epsilon); };
    for (std::size_t d = 0; d < D; ++d) y.row(n)[d] = p.gamma[d] * from_mean(d) * rstd(d % 32) + p.beta[d];
    cache.mean[n] = sum[0] / width, cache.rstd[n] = rstd(0);
  }
}

template <class Base, unsigned left_out>
void layer_norm_backward(LaneSums<Base, left_out>&, Out<Base, 2> dx, const NormParams<Base>& dp, In<Base, 2> dy,
                         In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  check_layer_norm_backward<Base>(dx, dp, dy, x, cache, p);
  const auto [N, D] = x.extent;
  const double width = static_cast<double>(D);
  for (std::size_t n = 0; n < N; ++n) {
    const double r = cache.rstd[n];
    const auto xhat = [&, n = n](std::size_t d) { return (x.row(n)[d] - cache.mean[n]) * r; };
    const auto g = [&, n = n](std::size_t d) { return p.gamma[d] * dy.row(n)[d]; };
    const auto of_g = lane_sums(D, left_out & 4, g);
    const auto along = lane_sums(D, left_out & 8, [&](std::size_t d) { return g(d) * xhat(d); });
    for (std::size_t d = 0; d < D; ++d) {
      dp.gamma[d] += dy.row(n)[d] * xhat(d);
      dp.beta[d] += dy.row(n)[d];
      dx.row(n)[d] = r * (g(d) - of_g[d % 32] / width - xhat(d) * along[d % 32] / width);
    }
  }
}

/// The kernel computes its row as threadIdx.x / 32 and forgets blockIdx.x. So all blocks write the rows of the first block,
/// and nothing writes the other rows: they keep what was there, here NaN.
template <class Base, bool in_forward>
struct RowWithoutBlock : Base {};
constexpr std::size_t rows_of_a_block = 4;

template <class Base, bool in_forward>
void layer_norm_forward(RowWithoutBlock<Base, in_forward>& dev, Out<Base, 2> y, NormCache<Base>& cache,
                        In<Base, 2> x, const NormParams<Base>& p) {
  gradus::layer_norm_forward(static_cast<Base&>(dev), y, cache, x, p);
  constexpr double unwritten = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t n = rows_of_a_block; in_forward && n < x.extent[0]; ++n) {
    std::fill_n(y.row(n), y.extent[1], unwritten);
    cache.mean[n] = cache.rstd[n] = unwritten;
  }
}
template <class Base, bool in_forward>
void layer_norm_backward(RowWithoutBlock<Base, in_forward>& dev, Out<Base, 2> dx, const NormParams<Base>& dp,
                         In<Base, 2> dy, In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  gradus::layer_norm_backward(static_cast<Base&>(dev), dx, dp, dy, x, cache, p);
  for (std::size_t n = rows_of_a_block; n < x.extent[0]; ++n) {
    std::fill_n(dx.row(n), dx.extent[1], std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace gradus::wrong
