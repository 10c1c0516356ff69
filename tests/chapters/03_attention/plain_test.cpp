#include <cstdint>

#include "03_attention/attention.hpp"
#include "gradus/tensor/segments.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("attention: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  constexpr std::size_t Dk = 2;
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&q = plain.input("q"), &k = plain.input("k"), &v = plain.input("v"), &dy = plain.input("dy");
  std::vector<double> y(q.size()), dq(q.size()), dk(k.size()), dv(v.size());
  const SegmentTable sentence = SegmentTable::packed({static_cast<std::int32_t>(q.size() / Dk)});
  const AttentionInput<TestType> input{as_rows(q, Dk), as_rows(k, Dk), as_rows(v, Dk), sentence.view(),
                                       sentence.view()};
  TestType dev;
  AttentionCache<TestType> cache;
  const auto weights = [&] {
    std::vector<double> p;
    for (std::size_t t = 0; t < cache.weights.extent[0]; ++t) {
      p.insert(p.end(), cache.weights.row(t), cache.weights.row(t) + cache.weights.extent[1]);
    }
    return p;
  };
  attention_forward(dev, as_rows(y, Dk), cache, input, {1, false, {}});
  plain.agrees("p", weights());
  plain.agrees("y", y);
  attention_forward(dev, as_rows(y, Dk), cache, input, {1, true, {}});
  attention_backward(dev, {as_rows(dq, Dk), as_rows(dk, Dk), as_rows(dv, Dk)}, as_rows(dy, Dk), input, cache,
                     {1, true, {}});
  plain.agrees("p_masked", weights());
  plain.agrees("y_masked", y);
  plain.agrees("dq", dq);
  plain.agrees("dk", dk);
  plain.agrees("dv", dv);
  plain.all_were_used();
}
