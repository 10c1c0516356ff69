#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "03_attention/multi_head_attention.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"
#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("decoder: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  constexpr std::size_t heads = 2;
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&u = plain.input("u"), &n1 = plain.input("n1"), &memory = plain.input("memory");
  const auto D =
      static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(plain.input("self_wq").size()))));
  const auto sentence = [&](const auto& rows) {
    return SegmentTable::packed({static_cast<std::int32_t>(rows.size() / D)});
  };
  const SegmentTable targets = sentence(u), sources = sentence(memory);
  TestType dev;
  const auto params = [&](std::vector<double>& wqkv, std::vector<double>& wo) {
    return AttentionParams<TestType>{as_rows(wqkv, 3 * D), {}, as_rows(wo, D), {}};
  };
  const auto compare = [&](const std::string& name, const auto& cache, const std::vector<double>& f,
                           const std::vector<double>& dwqkv, const std::vector<double>& dwo) {
    for (std::size_t h = 0; h < heads; ++h) {
      plain.agrees(name + "p" + std::to_string(h), every_row(cache.attention.weights, h, heads));
    }
    plain.agrees(name + "f", f);
    plain.agrees("d" + name + "wq", part_of(dwqkv, 3 * D, 0, D));
    plain.agrees("d" + name + "wkv", part_of(dwqkv, 3 * D, D, 2 * D));
    plain.agrees("d" + name + "wo", dwo);
  };
  // The loss is half the sum of the squares of f, so its derivative by f is f.
  {
    std::vector<double> wqkv = side_by_side({plain.input("self_wq"), plain.input("self_wkv")}, D), f(u.size()),
                        du(u);
    std::vector<double> dwqkv(wqkv.size(), 0.0), dwo(D * D, 0.0);
    const Sequences<TestType> words{as_rows(u, D), targets.view()};
    const AttentionOptions options{heads, true, {}};
    SelfAttentionCache<TestType> cache;
    const auto p = params(wqkv, plain.input("self_wo"));
    self_attention_forward(dev, as_rows(f, D), cache, words, p, options);
    self_attention_backward(dev, as_rows(du, D), params(dwqkv, dwo), as_rows(f, D), words, cache, p, options);
    add_due_sums(dev);
    compare("self_", cache, f, dwqkv, dwo);
    plain.agrees("du", du);
  }
  std::vector<double> wqkv = side_by_side({plain.input("cross_wq"), plain.input("cross_wkv")}, D), f(n1.size());
  std::vector<double> dn1(n1), dmemory(memory.size(), 0.0), dwqkv(wqkv.size(), 0.0), dwo(D * D, 0.0);
  const Sequences<TestType> words{as_rows(n1, D), targets.view()}, source{as_rows(memory, D), sources.view()};
  const AttentionOptions options{heads, false, {}};
  CrossAttentionCache<TestType> cache;
  const auto p = params(wqkv, plain.input("cross_wo"));
  cross_attention_forward(dev, as_rows(f, D), cache, words, source, p, options);
  cross_attention_backward(dev, as_rows(dn1, D), as_rows(dmemory, D), params(dwqkv, dwo), as_rows(f, D), words,
                           source, cache, p, options);
  add_due_sums(dev);
  compare("cross_", cache, f, dwqkv, dwo);
  plain.agrees("dn1", dn1);
  plain.agrees("dmemory", dmemory);
  plain.all_were_used();
}
