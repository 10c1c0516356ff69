#include "support/plain.hpp"
#include "00_foundations/linear.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("linear: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&x = plain.input("x"), &w = plain.input("w"), &b = plain.input("b"), &dy = plain.input("dy");
  const std::size_t out = b.size(), in = w.size() / out;
  std::vector<double> y(dy.size()), dx(x.size()), dw(w.size()), db(out);
  TestType dev;
  const LinearParams<TestType> p{as_rows(w, out), as_row(b)}, dp{as_rows(dw, out), as_row(db)};
  linear_forward(dev, as_rows(y, out), as_rows(x, in), p);
  linear_backward(dev, as_rows(dx, in), dp, as_rows(dy, out), as_rows(x, in), p);
  plain.agrees("y", y);
  plain.agrees("dx", dx);
  plain.agrees("dw", dw);
  plain.agrees("db", db);
  plain.all_were_used();
}
