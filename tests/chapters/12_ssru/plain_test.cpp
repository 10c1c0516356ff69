#include "support/plain.hpp"
#include "12_ssru/ssru_sublayer.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("ssru: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&x = plain.input("x"), &w = plain.input("w"), &wf = plain.input("wf"), &bf = plain.input("bf");
  std::vector<double>&first = plain.input("first"), &dh = plain.input("dh");
  const std::size_t D = bf.size(), N = x.size() / D;
  std::vector<double> h(N * D), du(N * D), da(N * D), dx(N * D), dw(D * D), dwf(D * D), dbf(D),
      dfirst(first.size());
  const SegmentTable sentences = SegmentTable::packed({4, 2});
  const Sequences<TestType> rows{as_rows(x, D), sentences.view()};
  const SsruParams<TestType> p{{as_rows(w, D), {}}, {as_rows(wf, D), as_row(bf)}};
  const SsruParams<TestType> dp{{as_rows(dw, D), {}}, {as_rows(dwf, D), as_row(dbf)}};
  TestType dev;
  SsruSublayerCache<TestType> cache;
  const In<TestType, 2> before = as_rows(first, D);
  ssru_sublayer_forward(dev, as_rows(h, D), {}, cache, rows, before, p);
  ssru_backward(dev, {as_rows(du, D), as_rows(da, D), {}}, as_rows(dh, D), {},
                {cache.u, cache.a, before, rows.segments}, cache.scan);
  ssru_sublayer_backward(dev, as_rows(dx, D), as_rows(dfirst, D), dp, In<TestType, 2>(as_rows(dh, D)), {}, rows,
                         before, cache, p);
  const auto saved = [&](Out<TestType, 2> v) { return std::vector<double>(v.data, v.data + N * D); };
  plain.agrees("u", saved(cache.u));
  plain.agrees("a", saved(cache.a));
  plain.agrees("c", saved(cache.scan.c));
  plain.agrees("h", h);
  plain.agrees("du", du);
  plain.agrees("da", da);
  plain.agrees("dfirst", dfirst);
  plain.agrees("dx", dx);
  plain.agrees("dw", dw);
  plain.agrees("dwf", dwf);
  plain.agrees("dbf", dbf);
  plain.all_were_used();
}
