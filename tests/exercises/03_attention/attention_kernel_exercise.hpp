#pragma once

#include "03_attention/cuda/attention_naive_cuda.hpp"
#include "chapters/03_attention/attention_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

/// A GPU whose attention is that of attention_naive_cuda.cu.
template <class R>
struct NaiveCuda : Cuda<R> {};
template <class R, class Dev = Cuda<R>>
void attention_forward(NaiveCuda<R>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, const AttentionInput<Dev>& x,
                       const AttentionOptions& options) {
  naive_attention_forward<R>(dev, y, cache, x, options);
}
template <class R, class Dev = Cuda<R>>
void attention_backward(NaiveCuda<R>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                        const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  naive_attention_backward<R>(dev, dx, dy, x, cache, options);
}

struct AttentionKernelExercise : Exercise {
  static constexpr bool is_kernel = true;
  template <class F>
  static void each_case(F&& f) {
    AttentionCase large = large_logits_case();
    large.scale = 1;  // random scores are small: only the golden file has large ones
    f(AttentionCase{}, "attention");
    f(causal_case(), "attention_causal");
    f(aligned_case(), "attention_aligned");
    f(large, "attention_large_logits");
  }
};

}  // namespace gradus::test
