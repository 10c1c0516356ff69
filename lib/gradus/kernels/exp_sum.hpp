#pragma once
/// \file
/// The two numbers that softmax needs for a row of logits: the maximum and the sum of exponentials. One block finds
/// both in one pass.

#include <limits>

#include "gradus/kernels/reduce.hpp"

namespace gradus::gpu {

/// largest = max z,  sum = sum of exp(z - largest). At first `largest` is below every number and the sum is empty.
template <class Real>
struct ExpSum {
  Real largest = std::numeric_limits<Real>::lowest();
  Real sum = 0;
};

/// Adds one element. If it is the new maximum, the sum so far is rescaled to it; so no earlier pass is needed to
/// find the maximum (Milakov & Gimelshein 2018).
template <class Real>
__device__ void add_exp(ExpSum<Real>& s, Real z) {
  if (z > s.largest) {
    s.sum = s.sum * exp(s.largest - z) + 1;
    s.largest = z;
  } else {
    s.sum += exp(z - s.largest);
  }
}

/// The same over all elements that the threads of a block have added. Every thread gets the result.
template <class Real>
__device__ ExpSum<Real> block_exp_sum(const ExpSum<Real>& own) {
  ExpSum<Real> all;
  all.largest = block_max(own.largest);
  all.sum = block_sum(own.sum * exp(own.largest - all.largest));
  return all;
}

/// Threads of a block that processes one row: one for each column, in whole warps, at most 512.
constexpr unsigned row_threads(std::size_t columns) { return columns < 512 ? 32 * blocks_for(columns, 32) : 512; }

}  // namespace gradus::gpu
