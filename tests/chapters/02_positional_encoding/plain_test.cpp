#include <cstdint>

#include "02_positional_encoding/position.hpp"
#include "02_positional_encoding/sinusoids.hpp"
#include "gradus/tensor/segments.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("position: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  constexpr std::size_t D = 4;
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&x = plain.input("x"), &dy = plain.input("dy");
  std::vector<double> positions(plain.input("positions").size()), y(x.size()), later(x.size()), dx(x.size());
  const SegmentTable sentence = SegmentTable::packed({static_cast<std::int32_t>(x.size() / D)});
  const std::vector<std::int32_t> second{2};
  TestType dev;
  sinusoids(dev, as_rows(positions, D));
  position_forward(dev, as_rows(y, D), as_rows(x, D), sentence.view(), {}, as_rows(positions, D));
  position_forward(dev, as_rows(later, D), as_rows(x, D), sentence.view(), Ints<TestType, 1>{second.data(), {1}, 1},
                   as_rows(positions, D));
  position_backward(dev, as_rows(dx, D), as_rows(dy, D));
  plain.agrees("positions", positions);
  plain.agrees("y", y);
  plain.agrees("later", later);
  plain.agrees("dx", dx);
  plain.all_were_used();
}
