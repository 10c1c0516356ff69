#include <cmath>
#include <cstdint>
#include <vector>

#include "07_encoder/encoder.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"
#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The parameters of plain.cpp, or their gradients. It has no biases, gains and shifts: here they are 0, 1 and 0.
struct Layer {
  Layer(double gain, std::vector<double> wqkv_, std::vector<double> wo_, std::vector<double> w1_,
        std::vector<double> w2_, std::size_t D, std::size_t F)
      : wqkv(std::move(wqkv_)), wo(std::move(wo_)), w1(std::move(w1_)), w2(std::move(w2_)), b1(F, 0.0), b2(D, 0.0) {
    for (auto* gamma : {&gamma0, &gamma1, &gamma2}) gamma->assign(D, gain);
    for (auto* beta : {&beta0, &beta1, &beta2}) beta->assign(D, 0.0);
  }
  template <class Dev>
  EncoderParams<Dev> params() {
    const std::size_t D = b2.size(), F = b1.size();
    const auto norm = [](auto& gamma, auto& beta) { return NormParams<Dev>{as_row(gamma), as_row(beta)}; };
    EncoderParams<Dev> p;
    p.first_norm = norm(gamma0, beta0);
    p.layers.push_back({{as_rows(wqkv, 3 * D), {}, as_rows(wo, D), {}},
                        norm(gamma1, beta1),
                        {{as_rows(w1, F), as_row(b1)}, {as_rows(w2, D), as_row(b2)}},
                        norm(gamma2, beta2)});
    return p;
  }
  std::vector<double> wqkv, wo, w1, w2, b1, b2, gamma0, beta0, gamma1, beta1, gamma2, beta2;
};

}  // namespace

TEMPLATE_TEST_CASE("encoder: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&x = plain.input("x"), &r = plain.input("r"), &wo = plain.input("wo");
  const auto D = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(wo.size()))));
  const std::size_t N = x.size() / D, F = plain.input("w1").size() / D;
  Layer w(1, side_by_side({plain.input("wq"), plain.input("wk"), plain.input("wv")}, D), wo, plain.input("w1"),
          plain.input("w2"), D, F);
  Layer dw(0, std::vector<double>(3 * D * D), std::vector<double>(D * D), std::vector<double>(D * F),
           std::vector<double>(F * D), D, F);
  StackOptions options;
  options.d_model = D, options.heads = 1, options.ffn = F;
  const SegmentTable sentence = SegmentTable::packed({static_cast<std::int32_t>(N)});
  const Sequences<TestType> words{as_rows(x, D), sentence.view()};
  TestType dev;
  EncoderCache<TestType> cache;
  const EncoderParams<TestType> p = w.params<TestType>();
  encoder_forward(dev, cache, words, p, options);
  const EncoderLayerCache<TestType>& layer = cache.layers[0];
  const std::vector<double> qkv = elements(layer.self_attention.qkv), memory = elements(cache.output);
  plain.agrees("u", elements(cache.first));
  plain.agrees("q", part_of(qkv, 3 * D, 0, D));
  plain.agrees("k", part_of(qkv, 3 * D, D, D));
  plain.agrees("v", part_of(qkv, 3 * D, 2 * D, D));
  plain.agrees("p", elements(layer.self_attention.attention.weights));
  plain.agrees("y", elements(layer.self_attention.heads));
  plain.agrees("s1", elements(layer.after_self_attention.s));
  plain.agrees("n1", elements(layer.after_self_attention.n));
  plain.agrees("h", elements(layer.feed_forward.h));
  plain.agrees("s2", elements(layer.after_feed_forward.s));
  plain.agrees("n2", memory);

  std::vector<double> dn = r, dx(x.size());
  encoder_backward(dev, as_rows(dx, D), as_rows(dn, D), dw.params<TestType>(), words, cache, p, options);
  add_due_sums(dev);
  plain.agrees("dx", dx);
  plain.agrees("dwq", part_of(dw.wqkv, 3 * D, 0, D));
  plain.agrees("dwk", part_of(dw.wqkv, 3 * D, D, D));
  plain.agrees("dwv", part_of(dw.wqkv, 3 * D, 2 * D, D));
  plain.agrees("dwo", dw.wo);
  plain.agrees("dw1", dw.w1);
  plain.agrees("dw2", dw.w2);
  plain.agrees("dr", memory);
  plain.all_were_used();
}
