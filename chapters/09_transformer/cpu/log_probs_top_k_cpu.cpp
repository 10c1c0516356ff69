#include "09_transformer/log_probs_top_k.hpp"

#include <cmath>

#include "09_transformer/cpu/best_words_cpu.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"

namespace gradus {
namespace {

/// The sum of exp(z[j] - m), in as many partial sums as a register has elements. One sum alone would lose digits: a vocabulary
/// has thousands of words.
template <class Real>
Real sum_of_exp(const Real* z, std::size_t n, Real m) {
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> sum{};
  std::size_t j = 0;
  for (; j + width <= n; j += width) sum += exp_of_elements<Real>(load(z + j) - m);
  Real rest = 0;
  for (; j < n; ++j) rest += fast_exp(z[j] - m);
  return sum_of_elements<Real>(sum) + rest;
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

template LogProbsTopK<Cpu<float>> log_probs_top_k;
template LogProbsTopK<Cpu<double>> log_probs_top_k;

}  // namespace gradus
