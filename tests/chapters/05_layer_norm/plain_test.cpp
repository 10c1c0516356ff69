#include "support/plain.hpp"
#include "05_layer_norm/layer_norm.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("layer_norm: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&x = plain.input("x"), &dy = plain.input("dy");
  std::vector<double>&gamma = plain.input("gamma"), &beta = plain.input("beta");
  const std::size_t D = gamma.size();
  std::vector<double> y(x.size()), dx(x.size()), dgamma(D), dbeta(D);
  TestType dev;
  NormCache<TestType> cache;
  const NormParams<TestType> p{as_row(gamma), as_row(beta)}, dp{as_row(dgamma), as_row(dbeta)};
  layer_norm_forward(dev, as_rows(y, D), cache, as_rows(x, D), p);
  layer_norm_backward(dev, as_rows(dx, D), dp, as_rows(dy, D), as_rows(x, D), cache, p);
  plain.agrees("mean", {cache.mean.data, cache.mean.data + x.size() / D});
  plain.agrees("rstd", {cache.rstd.data, cache.rstd.data + x.size() / D});
  plain.agrees("y", y);
  plain.agrees("dx", dx);
  plain.agrees("dgamma", dgamma);
  plain.agrees("dbeta", dbeta);
  plain.all_were_used();
}
