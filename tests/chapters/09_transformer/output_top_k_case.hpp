#pragma once

#include "09_transformer/output_top_k.hpp"
#include "chapters/09_transformer/log_probs_top_k_case.hpp"

namespace gradus::test {

/// From rows to the best words, with or without a bias and the table's panels. There is no backward.
struct OutputTopKCase {
  std::size_t N = 5, D = 6, vocab = 70, K = 4;
  bool bias = true, panels = false;
  double scale = 1;

  void describe(Description& d) const {
    d.component = "output_top_k";
    d.input("x", {N, D}).constant().scaled(scale);
    d.input("table", {vocab, D}).constant();
    if (bias) d.input("bias", {vocab}).constant();
    d.output("scores", {N, K}).constant();
    d.output("ids", {N, K}).constant();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const OutInts<Dev, 2> ids = as_matrix(dev.kept.ints(N * K), N, K);
    OutputParams<Dev> p{t.matrix("table"), bias ? t.vector("bias") : Out<Dev, 1>{}, {}};
    Workspace<typename Dev::Real, typename Dev::Space> memory;
    if (panels) p.panels = output_panels(dev, memory, p);
    output_top_k(dev, t.matrix("scores"), ids, t.matrix("x"), p);
    write_as_numbers(dev, t.matrix("ids"), Ints<Dev, 2>(ids));
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

}  // namespace gradus::test
