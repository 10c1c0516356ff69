#include "04_masks/dense.hpp"
#include "04_masks/masked_softmax.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"

#include <limits>

namespace gradus {
namespace {

/// One row: S scores, S elements of the mask.
template <class Real>
void softmax_row(Real* p, const Real* s, const std::int32_t* mask, std::size_t S) {
  Real largest = std::numeric_limits<Real>::lowest(), sum = 0;
  for (std::size_t j = 0; j < S; ++j) largest = mask[j] != 0 && s[j] > largest ? s[j] : largest;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = 0; j < S; ++j) {
    p[j] = mask[j] != 0 ? fast_exp(s[j] - largest) : Real(0);
    sum += p[j];
  }
  const Real inverse = sum > 0 ? 1 / sum : Real(0);  // the largest adds 1: a sum of 0 means that no key is allowed
#pragma omp simd
  for (std::size_t j = 0; j < S; ++j) p[j] *= inverse;
}

template <class Real>
void softmax_row_backward(Real* ds, const Real* dp, const Real* p, std::size_t S) {
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = 0; j < S; ++j) sum += p[j] * dp[j];
#pragma omp simd
  for (std::size_t j = 0; j < S; ++j) ds[j] = p[j] * (dp[j] - sum);
}

}  // namespace

template <class Real, class Dev>
void masked_softmax_forward(Cpu<Real>&, Out<Dev, 4> p, In<Dev, 4> s, Ints<Dev, 3> mask) {
  check_masked_softmax<Dev>(p, s, mask);
  const auto [B, H, T, S] = s.extent;
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      const auto to = scores_of(p, b, h);
      const auto from = scores_of(s, b, h);
      for (std::size_t t = 0; t < T; ++t) softmax_row(to.row(t), from.row(t), sentence(mask, b).row(t), S);
    }
  }
}

template <class Real, class Dev>
void masked_softmax_backward(Cpu<Real>&, Out<Dev, 4> ds, In<Dev, 4> dp, In<Dev, 4> p) {
  check_masked_softmax_gradient<Dev>(ds, dp, p);
  const auto [B, H, T, S] = p.extent;
  for (std::size_t row = 0; row < B * H * T; ++row) softmax_row_backward(ds.row(row), dp.row(row), p.row(row), S);
}

template MaskedSoftmaxForward<Cpu<float>> masked_softmax_forward;
template MaskedSoftmaxForward<Cpu<double>> masked_softmax_forward;
template MaskedSoftmaxBackward<Cpu<float>> masked_softmax_backward;
template MaskedSoftmaxBackward<Cpu<double>> masked_softmax_backward;

}  // namespace gradus
