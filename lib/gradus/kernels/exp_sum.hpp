#pragma once
/// \file
/// What a softmax needs of a row of logits, found by one block in one pass: the largest, and the sum of exponentials.

#include <limits>

#include "gradus/kernels/reduce.hpp"

namespace gradus::gpu {

/// largest = max z,  sum = sum of exp(z - largest). It starts below every number, with an empty sum.
template <class Real>
struct ExpSum {
  Real largest = std::numeric_limits<Real>::lowest();
  Real sum = 0;
};

/// One more element. If it is larger than all before it, their sum is scaled to the new maximum; so no pass is
/// needed to find the maximum first (Milakov & Gimelshein 2018).
template <class Real>
__device__ void add_exp(ExpSum<Real>& s, Real z) {
  if (z > s.largest) {
    s.sum = s.sum * exp(s.largest - z) + 1;
    s.largest = z;
  } else {
    s.sum += exp(z - s.largest);
  }
}

/// The same over all elements that the threads of a block have added. All of them get it.
template <class Real>
__device__ ExpSum<Real> block_exp_sum(const ExpSum<Real>& own) {
  ExpSum<Real> all;
  all.largest = block_max(own.largest);
  all.sum = block_sum(own.sum * exp(own.largest - all.largest));
  return all;
}

/// Threads of a block that shares a row: one a column, whole warps, at most 512.
constexpr unsigned row_threads(std::size_t columns) { return columns < 512 ? 32 * blocks_for(columns, 32) : 512; }

}  // namespace gradus::gpu
