#include "09_transformer/log_probs_top_k.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gradus/tensor/array.hpp"

namespace gradus {

template <class Real, class Dev>
void log_probs_top_k(Reference<Real>&, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> logits) {
  check_log_probs_top_k<Dev>(scores, ids, logits);
  // exercise: begin
  const Array<Real> z = array(logits);                                   // (N, Vocab)
  const Array<Real> shifted = z - row_max<Real>(z);                      // at most 0, so exp cannot overflow
  const Array<Real> log_sum = xt::log(row_sum<Real>(xt::exp(shifted)));  // (N, 1)
  const Array<Real> log_p = shifted - log_sum;                           // eq:9.5
  for (std::size_t n = 0; n < z.shape(0); ++n) {
    std::vector<std::int32_t> order(z.shape(1));
    std::iota(order.begin(), order.end(), 0);
    const auto likelier = [&](std::int32_t a, std::int32_t b) {
      return z(n, std::size_t(a)) > z(n, std::size_t(b));
    };
    std::stable_sort(order.begin(), order.end(), likelier);  // stable: equal ones stay in the order of their ids
    for (std::size_t k = 0; k < scores.extent[1]; ++k) {
      ids.row(n)[k] = order[k];
      scores.row(n)[k] = log_p(n, std::size_t(order[k]));
    }
  }
  // exercise: end
}

template LogProbsTopK<Reference<double>> log_probs_top_k;
template LogProbsTopK<Reference<Dual>> log_probs_top_k;

}  // namespace gradus
