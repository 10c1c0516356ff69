#include "support/plain.hpp"
#include "06_feed_forward/feed_forward.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("feed_forward: plain.cpp computes what the library computes", "", Reference<double>,
                   Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&x = plain.input("x"), &w1 = plain.input("w1"), &b1 = plain.input("b1");
  std::vector<double>&w2 = plain.input("w2"), &b2 = plain.input("b2"), &dy = plain.input("dy");
  const std::size_t F = b1.size(), D = b2.size(), N = x.size() / D;
  std::vector<double> z(N * F), y(x.size()), dx(x.size()), dw1(w1.size()), db1(F), dw2(w2.size()), db2(D);
  TestType dev;
  FeedForwardCache<TestType> cache;
  const FeedForwardParams<TestType> p{{as_rows(w1, F), as_row(b1)}, {as_rows(w2, D), as_row(b2)}};
  const FeedForwardParams<TestType> dp{{as_rows(dw1, F), as_row(db1)}, {as_rows(dw2, D), as_row(db2)}};
  linear_forward(dev, as_rows(z, F), as_rows(x, D), p.inner);  // a cache need not keep z
  feed_forward_forward(dev, as_rows(y, D), cache, as_rows(x, D), p, {});
  feed_forward_backward(dev, as_rows(dx, D), dp, as_rows(dy, D), as_rows(x, D), cache, p, {});
  plain.agrees("z", z);
  plain.agrees("h", {cache.h.data, cache.h.data + N * F});
  plain.agrees("y", y);
  plain.agrees("dx", dx);
  plain.agrees("dw1", dw1);
  plain.agrees("db1", db1);
  plain.agrees("dw2", dw2);
  plain.agrees("db2", db2);
  plain.all_were_used();
}
