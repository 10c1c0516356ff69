#include "chapters/06_feed_forward/feed_forward_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("feed_forward: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(FeedForwardCase{Activation::relu})));
  expect(gradients(component(FeedForwardCase{Activation::gelu})));
  expect(gradients(component(FeedForwardCase{Activation::swish})));
}

TEST_CASE("feed_forward: every device agrees with the reference and keeps the contract") {
  for (const FeedForwardCase& c :
       {FeedForwardCase{Activation::relu}, FeedForwardCase{Activation::gelu, 33, 3, 9, {}},
        FeedForwardCase{Activation::swish, 9, 3, 8, {}}, FeedForwardCase{Activation::relu, 1, 1, 1, {}},
        FeedForwardCase{Activation::relu, 4, 9, 3, {}}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("feed_forward: golden values") {
  expect(golden(component(FeedForwardCase{Activation::relu}), "feed_forward_relu"));
  expect(golden(component(FeedForwardCase{Activation::gelu}), "feed_forward_gelu"));
  expect(golden(component(FeedForwardCase{Activation::swish}), "feed_forward_swish"));
}

TEST_CASE("feed_forward: no row sees another") {
  const FeedForwardCase batch{Activation::relu, 6, 4, 7, {}}, alone{Activation::relu, 1, 4, 7, {}};
  const Values at = random_values(component(batch).description);
  Values first = at;
  for (const char* const name : {"x", "dy"}) first.value.at(name).resize(4);
  for (std::size_t i = 0; i < 3; ++i) {
    const Runner r = component(batch).devices[i];
    const Run together = r.run(at, {}), apart = component(alone).devices[i].run(first, {});
    const double bound = r.is_double ? 1e-12 : 1e-5;
    const std::vector<double>&y = together.output.at("y"), &dx = together.gradient.at("x");
    CHECK(relative_error({y.begin(), y.begin() + 4}, apart.output.at("y")) < bound);
    CHECK(relative_error({dx.begin(), dx.begin() + 4}, apart.gradient.at("x")) < bound);
  }
}

TEST_CASE("feed_forward: its parameters are named, counted and of the right kind") {
  Layout layout;
  Binder<Cpu<float>> bind(layout);
  feed_forward_params(bind, "encoder.0.feed_forward", 4, 8);
  layout.finish();
  CHECK(layout.size() == 4 * 8 + 8 + 8 * 4 + 4);
  CHECK(layout.decaying() == 2 * 4 * 8);
  CHECK(layout.find("encoder.0.feed_forward.inner.w").shape == std::vector<std::size_t>{4, 8});
  CHECK(layout.find("encoder.0.feed_forward.outer.b").shape == std::vector<std::size_t>{4});
}
