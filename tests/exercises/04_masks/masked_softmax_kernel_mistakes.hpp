#pragma once
/// \file
/// Mistakes that only a kernel of the masked softmax can make, computed on the processor.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "04_masks/masked_softmax.hpp"

namespace gradus::wrong {

/// A warp function is left out: each lane goes on with the value of its own keys, lane, lane + 32, ... The bits of
/// `left_out` say which: 1 the maximum, 2 the sum, 4 the sum of backward.
template <class Base, unsigned left_out>
struct LaneValues : Base {};

template <class Base, unsigned left_out>
void masked_softmax_forward(LaneValues<Base, left_out>&, Out<Base, 4> p, In<Base, 4> s, Ints<Base, 3> mask) {
  check_masked_softmax<Base>(p, s, mask);
  const std::size_t H = s.extent[1], T = s.extent[2], S = s.extent[3];
  for (std::size_t row = 0; row < s.extent[0] * H * T; ++row) {
    const double* const scores = s.row(row);
    const std::int32_t* const allowed = mask.row(row / (H * T) * T + row % T);
    std::array<double, 32> largest{}, sum{};
    largest.fill(std::numeric_limits<double>::lowest());
    for (std::size_t j = 0; j < S; ++j) {
      if (allowed[j] != 0) largest[j % 32] = std::max(largest[j % 32], scores[j]);
    }
    if ((left_out & 1) == 0) largest.fill(*std::max_element(largest.begin(), largest.end()));
    double all = 0;
    for (std::size_t j = 0; j < S; ++j) {
      const double e = allowed[j] != 0 ? std::exp(scores[j] - largest[j % 32]) : 0;
      sum[j % 32] += e, all += e;
    }
    if ((left_out & 2) == 0) sum.fill(all);
    for (std::size_t j = 0; j < S; ++j) {
      p.row(row)[j] = allowed[j] != 0 ? std::exp(scores[j] - largest[j % 32]) / sum[j % 32] : 0;
    }
  }
}

template <class Base, unsigned left_out>
void masked_softmax_backward(LaneValues<Base, left_out>&, Out<Base, 4> ds, In<Base, 4> dp, In<Base, 4> p) {
  check_masked_softmax_gradient<Base>(ds, dp, p);
  const std::size_t S = p.extent[3];
  for (std::size_t row = 0; row < p.extent[0] * p.extent[1] * p.extent[2]; ++row) {
    std::array<double, 32> sum{};
    double all = 0;
    for (std::size_t j = 0; j < S; ++j) {
      sum[j % 32] += p.row(row)[j] * dp.row(row)[j], all += p.row(row)[j] * dp.row(row)[j];
    }
    if ((left_out & 4) == 0) sum.fill(all);
    for (std::size_t j = 0; j < S; ++j) ds.row(row)[j] = p.row(row)[j] * (dp.row(row)[j] - sum[j % 32]);
  }
}

/// The row is threadIdx.x / 32 alone. All blocks write the first rows, and the others stay as they were.
template <class Base, bool in_forward>
struct RowWithoutBlock : Base {};

inline void leave_rows(View<double, 4, Host> x) {
  constexpr std::size_t rows_of_a_block = 4;
  for (std::size_t row = rows_of_a_block; row < x.extent[0] * x.extent[1] * x.extent[2]; ++row) {
    std::fill_n(x.row(row), x.extent[3], std::numeric_limits<double>::quiet_NaN());
  }
}
template <class Base, bool in_forward>
void masked_softmax_forward(RowWithoutBlock<Base, in_forward>& dev, Out<Base, 4> p, In<Base, 4> s,
                            Ints<Base, 3> mask) {
  gradus::masked_softmax_forward(static_cast<Base&>(dev), p, s, mask);
  if (in_forward) leave_rows(p);
}
template <class Base, bool in_forward>
void masked_softmax_backward(RowWithoutBlock<Base, in_forward>& dev, Out<Base, 4> ds, In<Base, 4> dp,
                             In<Base, 4> p) {
  gradus::masked_softmax_backward(static_cast<Base&>(dev), ds, dp, p);
  leave_rows(ds);
}

}  // namespace gradus::wrong
