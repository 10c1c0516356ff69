#include "gradus/ops/plain_blas/plain_product.hpp"

#include <limits>
#include <vector>

#include "support/catch.hpp"

using namespace gradus;

namespace {

constexpr double untouched = 99, missing = std::numeric_limits<double>::quiet_NaN();

// a (2, 3) and b (3, 2), and the same turned over, each row followed by a gap that must not be read.
const std::vector<double> a{1, 2, 3, missing, 4, 5, 6, missing},
    a_turned{1, 4, missing, 2, 5, missing, 3, 6, missing};
const std::vector<double> b{1, 0, missing, -1, 2, missing, 0, 3, missing},
    b_turned{1, -1, 0, missing, 0, 2, 3, missing};

}  // namespace

TEST_CASE("plain product: every form gives the product, and the gaps between rows stay") {
  for (const bool turn_a : {false, true}) {
    for (const bool turn_b : {false, true}) {
      const PlainFactor<double> left{turn_a ? a_turned.data() : a.data(), turn_a ? 3 : 4, turn_a};
      const PlainFactor<double> right{turn_b ? b_turned.data() : b.data(), turn_b ? 4 : 3, turn_b};
      std::vector<double> c{missing, missing, untouched,
                            missing, missing, untouched};  // with beta = 0 the old c is not read
      plain_product(2, 2, 3, 1.0, left, right, 0.0, c.data(), 3);
      CHECK(c == std::vector<double>{-1, 13, untouched, -1, 28, untouched});
      plain_product(2, 2, 3, 2.0, left, right, -1.0, c.data(), 3);
      CHECK(c == std::vector<double>{-1, 13, untouched, -1, 28, untouched});
      plain_product(2, 2, 3, 2.0, left, right, 3.0, c.data(), 3);
      CHECK(c == std::vector<double>{-5, 65, untouched, -5, 140, untouched});
    }
  }
}

TEST_CASE("plain product: an empty sum is zero, or the old result") {
  std::vector<double> c{5};
  const PlainFactor<double> none{nullptr, 1, false};
  plain_product(1, 1, 0, 1.0, none, none, 1.0, c.data(), 1);
  CHECK(c[0] == 5);
  plain_product(1, 1, 0, 1.0, none, none, 0.0, c.data(), 1);
  CHECK(c[0] == 0);
}
