#include <cstdint>

#include "01_embedding/lookup.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("lookup: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&table = plain.input("table"), &dy = plain.input("dy");
  const std::vector<std::int32_t> ids(plain.input("ids").begin(), plain.input("ids").end());
  const std::size_t D = dy.size() / ids.size();
  const Ints<TestType, 1> words{ids.data(), {ids.size()}, ids.size()};
  const LookupOptions options{embedding_scale(D), 0};
  std::vector<double> y(dy.size()), dtable(table.size());
  TestType dev;
  lookup_forward(dev, as_rows(y, D), words, as_rows(table, D), options);
  lookup_backward(dev, as_rows(dtable, D), as_rows(dy, D), words, options);
  plain.agrees("y", y);
  plain.agrees("dtable", dtable);
  plain.all_were_used();
}
