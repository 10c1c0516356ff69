#pragma once

#include "09_transformer/log_probs_top_k.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The ids are judged as numbers beside the scores. There is no backward.
struct LogProbsTopKCase {
  std::size_t N = 5, vocab = 9, K = 4;
  double scale = 1;

  void describe(Description& d) const {
    d.component = "log_probs_top_k";
    d.input("logits", {N, vocab}).constant().scaled(scale);
    d.output("scores", {N, K});
    d.output("ids", {N, K});
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const OutInts<Dev, 2> ids = as_matrix(dev.kept.ints(N * K), N, K);
    log_probs_top_k(dev, t.matrix("scores"), ids, t.matrix("logits"));
    const auto out = t.matrix("ids");
    for (std::size_t n = 0; n < N; ++n) {
      for (std::size_t k = 0; k < K; ++k) out.row(n)[k] = static_cast<typename Dev::Real>(ids.row(n)[k]);
    }
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

}  // namespace gradus::test
