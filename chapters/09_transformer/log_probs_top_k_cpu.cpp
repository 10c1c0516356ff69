#include "09_transformer/log_probs_top_k.hpp"

#include <cmath>

#include "gradus/ops/exp_cpu.hpp"

namespace gradus {
namespace {

template <class Real>
Real largest(const Real* z, std::size_t n) {
  Real m = z[0];
#pragma omp simd reduction(max : m)
  for (std::size_t j = 1; j < n; ++j) m = z[j] > m ? z[j] : m;
  return m;
}

template <class Real>
Real sum_of_exp(const Real* z, std::size_t n, Real m) {
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = 0; j < n; ++j) sum += fast_exp(z[j] - m);
  return sum;
}

/// The best K in one pass, sorted in `best` and `ids`: almost every word is worse than the last of them and costs
/// one comparison. Only a larger logit moves up, so of equal ones the first, with the smaller id, stays ahead.
template <class Real>
void select(Real* best, std::int32_t* ids, std::size_t K, const Real* z, std::size_t n) {
  std::size_t count = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (count == K && !(z[j] > best[K - 1])) continue;
    std::size_t at = count < K ? count++ : K - 1;
    for (; at > 0 && z[j] > best[at - 1]; --at) best[at] = best[at - 1], ids[at] = ids[at - 1];
    best[at] = z[j];
    ids[at] = static_cast<std::int32_t>(j);
  }
}

}  // namespace

template <class Real, class Dev>
void log_probs_top_k(Cpu<Real>&, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> logits) {
  check_log_probs_top_k<Dev>(scores, ids, logits);
  const auto [N, K] = scores.extent;
  const std::size_t vocab = logits.extent[1];
  for (std::size_t n = 0; n < N; ++n) {
    const Real* const z = logits.row(n);
    const Real m = largest(z, vocab), log_sum = std::log(sum_of_exp(z, vocab, m));
    select(scores.row(n), ids.row(n), K, z, vocab);
    for (std::size_t k = 0; k < K; ++k) scores.row(n)[k] = (scores.row(n)[k] - m) - log_sum;
  }
}

using F = Cpu<float>;
using D = Cpu<double>;
template void log_probs_top_k(F&, Out<F, 2>, OutInts<F, 2>, In<F, 2>);
template void log_probs_top_k(D&, Out<D, 2>, OutInts<D, 2>, In<D, 2>);

}  // namespace gradus
