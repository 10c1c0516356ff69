#pragma once
/// \file
/// Dense batches: B sentences, each padded to the longest. Views of one sentence, or of one head of one sentence,
/// in tensors of rank 3 and 4.

#include "gradus/tensor/view.hpp"

namespace gradus {

/// Sentence b of x (B, T, D): a matrix (T, D).
template <class E, class Space>
constexpr View<E, 2, Space> sentence(View<E, 3, Space> x, std::size_t b) {
  return {x.data + b * x.extent[1] * x.stride, {x.extent[1], x.extent[2]}, x.stride};
}

/// Head h of sentence b of x (B, T, D) with H heads: a matrix (T, D / H).
template <class E, class Space>
constexpr View<E, 2, Space> head_of(View<E, 3, Space> x, std::size_t b, std::size_t h, std::size_t H) {
  return columns(sentence(x, b), h * (x.extent[2] / H), x.extent[2] / H);
}

/// Head h of sentence b of scores (B, H, T, S): a matrix (T, S).
template <class E, class Space>
constexpr View<E, 2, Space> scores_of(View<E, 4, Space> x, std::size_t b, std::size_t h) {
  return {x.data + (b * x.extent[1] + h) * x.extent[2] * x.stride, {x.extent[2], x.extent[3]}, x.stride};
}

/// A vector of B H T S elements seen as scores.
template <class E, class Space>
constexpr View<E, 4, Space> as_scores(View<E, 1, Space> v, std::size_t B, std::size_t H, std::size_t T,
                                      std::size_t S) {
  return {v.data, {B, H, T, S}, S};
}

}  // namespace gradus
