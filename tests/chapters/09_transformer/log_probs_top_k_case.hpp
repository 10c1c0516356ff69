#pragma once

#include <vector>

#include "09_transformer/log_probs_top_k.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The ids of a choice as the numbers that are judged.
template <class Dev>
void write_as_numbers(Dev& dev, Out<Dev, 2> out, Ints<Dev, 2> ids) {
  const auto [N, K] = ids.extent;
  check_shape("log_probs_top_k: the ids as numbers", out, {N, K});
  std::vector<std::int32_t> chosen;
  read(dev, chosen, Ints<Dev, 1>(as_vector(ids)));
  for (std::size_t n = 0; n < N; ++n) {
    const auto row = chosen.begin() + static_cast<std::ptrdiff_t>(n * K);
    const std::vector<typename Dev::Real> numbers(row, row + static_cast<std::ptrdiff_t>(K));
    write(dev, Out<Dev, 1>{out.row(n), {K}, K}, numbers);
  }
}

/// The ids are judged as numbers beside the scores. There is no backward.
struct LogProbsTopKCase {
  std::size_t N = 5, vocab = 9, K = 4;
  double scale = 1;

  void describe(Description& d) const {
    d.component = "log_probs_top_k";
    d.input("logits", {N, vocab}).constant().scaled(scale);
    d.output("scores", {N, K}).constant();
    d.output("ids", {N, K}).constant();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const OutInts<Dev, 2> ids = as_matrix(dev.kept.ints(N * K), N, K);
    const In<Dev, 2> logits = t.matrix("logits");
    check_shape("log_probs_top_k: the case's words", logits,
                {logits.extent[0], vocab});  // the leaf takes any number
    log_probs_top_k(dev, t.matrix("scores"), ids, logits);
    write_as_numbers(dev, t.matrix("ids"), ids);
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

}  // namespace gradus::test
