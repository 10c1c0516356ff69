#include "chapters/07_encoder/encoder_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Biases in the attention, GELU instead of ReLU, three heads, a wider inner layer.
StackOptions other_stack(Norm norm) {
  StackOptions o = small_stack(norm, 1);
  o.heads = 3, o.ffn = 8;
  o.attention_bias = {true, true};
  o.activation = Activation::gelu;
  o.first_layer = 7;
  return o;
}

void parity_and_contract(const Component& judged) {
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}

}  // namespace

TEST_CASE("encoder layer: finite differences and dual numbers agree with backward", "[gradients]") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    expect(gradients(component(EncoderLayerCase{small_stack(norm, 2)})));
  }
}

TEST_CASE("encoder: finite differences and dual numbers agree with backward", "[gradients]") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    expect(gradients(component(EncoderCase{small_stack(norm, 2), {2, 0, 1}, 1})));
  }
}

TEST_CASE("encoder: other options have right gradients too", "[slow]") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    const Component judged = component(EncoderCase{other_stack(norm), {2, 1}, 0});
    for (const Runner& r : judged.devices) {
      if (r.is_double) expect(dual_numbers(judged, r));
      expect(parity(judged, r));
    }
  }
}

TEST_CASE("encoder: every device agrees with the reference and keeps the contract") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    parity_and_contract(component(EncoderLayerCase{small_stack(norm, 2)}));
    parity_and_contract(component(EncoderCase{small_stack(norm, 3)}));
  }
}

TEST_CASE("encoder: long, short and no sentences") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    for (const std::vector<std::int32_t>& lengths : {std::vector<std::int32_t>{33, 1, 7}, {1}, {0}, {}}) {
      const Component judged = component(EncoderCase{small_stack(norm, 2), lengths, 0});
      for (const Runner& r : judged.devices) expect(parity(judged, r));
    }
  }
}

TEST_CASE("encoder: golden values, dropout on") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    expect(golden(component(EncoderLayerCase{small_stack(norm, 2)}), "encoder_layer_" + placement(norm)));
    expect(golden(component(EncoderCase{small_stack(norm, 2)}), "encoder_" + placement(norm)));
  }
}

TEST_CASE("encoder: one sentence does not affect another") {
  const EncoderCase the_case{small_stack(Norm::pre, 2), {3, 2}, 0};
  const Component judged = component(the_case);
  Values a = random_values(judged.description), b = a;
  for (std::size_t i = 0; i < 3 * the_case.options.d_model; ++i) b.value["x"][i] += 1;
  for (const Runner& r : judged.devices) {
    const auto ya = r.run(a, {}).output.at("y"), yb = r.run(b, {}).output.at("y");
    const auto second = static_cast<std::ptrdiff_t>(3 * the_case.options.d_model);
    CHECK(std::equal(ya.begin() + second, ya.end(), yb.begin() + second));
    CHECK_FALSE(std::equal(ya.begin(), ya.begin() + second, yb.begin()));
  }
}

TEST_CASE("encoder: every layer has parameters of its own, and each of them a gradient") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    EncoderCase the_case{small_stack(norm, 3, 0), {4, 3}, 0};
    the_case.options.activation = Activation::gelu;     // a ReLU that is off for every token passes no gradient on
    std::size_t expected = norm == Norm::pre ? 12 : 0;  // the first norm
    expected += 3 * (4 * 6 * 6 + 2 * 6 * 5 + 5 + 6 + 2 * (2 * 6));  // projections, feed-forward, norms
    CHECK(the_case.layout().size() == expected);
    const Component judged = component(the_case);
    for (const Runner& r : judged.devices) {
      for (const auto& [name, gradient] : r.run(random_values(judged.description), {}).gradient) {
        INFO(r.device << ", " << name);
        CHECK(std::any_of(gradient.begin(), gradient.end(), [](double g) { return g != 0; }));
      }
    }
  }
}

TEST_CASE("encoder: a wrong number of rows is an error") {
  Cpu<double> dev;
  const SegmentTable table = SegmentTable::packed({2, 2});
  const StackOptions o = small_stack(Norm::pre, 1, 0);
  const Layout layout = layout_of([&](auto& bind) { encoder_params(bind, "encoder", o); });
  const FlatVector<Cpu<double>> values(layout);
  fill(dev, values.flat(), 0.5);
  Binder<Cpu<double>> bind(layout, values.flat());
  EncoderCache<Cpu<double>> cache;
  const auto x = dev.kept.matrix(5, 6);
  fill(dev, x, 1);
  CHECK_THROWS_AS(encoder_forward(dev, cache, {x, table.view()}, encoder_params(bind, "encoder", o), o), Error);
}
