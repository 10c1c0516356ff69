#pragma once
/// \file
/// The best K words of a row, found in one pass over its logits.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gradus {

/// The best K words of a row up to word `first`, sorted in `best` and `ids`, and the next n words, with logits z: afterwards
/// the best of all. Almost every word is worse than the last of them and costs one comparison. Only a larger logit
/// moves up, so of equal ones the first, with the smaller id, stays ahead.
template <class Real>
void select(Real* best, std::int32_t* ids, std::size_t K, const Real* z, std::size_t n, std::size_t first = 0) {
  std::size_t count = std::min(first, K);
  for (std::size_t j = 0; j < n; ++j) {
    if (count == K && !(z[j] > best[K - 1])) continue;
    std::size_t at = count < K ? count++ : K - 1;
    for (; at > 0 && z[j] > best[at - 1]; --at) best[at] = best[at - 1], ids[at] = ids[at - 1];
    best[at] = z[j];
    ids[at] = static_cast<std::int32_t>(first + j);
  }
}

template <class Real>
Real largest(const Real* z, std::size_t n) {
  Real m = z[0];
#pragma omp simd reduction(max : m)
  for (std::size_t j = 1; j < n; ++j) m = z[j] > m ? z[j] : m;
  return m;
}

}  // namespace gradus
