#include "chapters/08_decoder/decoder_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Biases in the attention, GELU instead of ReLU, three heads, a wider inner layer.
StackOptions other_stack(Norm norm) {
  StackOptions o = small_decoder(norm, 1);
  o.heads = 3, o.ffn = 8;
  o.attention_bias = {true, true};
  o.activation = Activation::gelu;
  return o;
}

void parity_and_contract(const Component& judged) {
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}

}  // namespace

TEST_CASE("decoder layer: finite differences and dual numbers agree with backward", "[gradients]") {
  each_form([](Norm norm, DecoderUnit unit) {
    expect(gradients(component(DecoderLayerCase{small_decoder(norm, 2, 0.3, unit)})));
  });
}

TEST_CASE("decoder: finite differences and dual numbers agree with backward", "[gradients]") {
  each_form([](Norm norm, DecoderUnit unit) {
    expect(gradients(component(DecoderCase{small_decoder(norm, 2, 0.3, unit), {{1, 3, 0}, {2, 1, 1}, 0, 1}})));
  });
}

TEST_CASE("decoder: other options have right gradients too", "[slow]") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    const Component judged = component(DecoderCase{other_stack(norm), {{2, 1}, {1, 3}, 0, 0}});
    for (const Runner& r : judged.devices) {
      if (r.is_double) expect(dual_numbers(judged, r));
      expect(parity(judged, r));
    }
  }
}

TEST_CASE("decoder: every device agrees with the reference and keeps the contract") {
  each_form([](Norm norm, DecoderUnit unit) {
    parity_and_contract(component(DecoderLayerCase{small_decoder(norm, 2, 0.3, unit)}));
    parity_and_contract(component(DecoderCase{small_decoder(norm, 3, 0.3, unit)}));
  });
}

TEST_CASE("decoder: a memory of any length, and no sentences at all") {
  each_form([](Norm norm, DecoderUnit unit) {
    for (const TwoSides& sides : {TwoSides{{33, 1}, {2, 9}, 0, 0}, TwoSides{{1, 2}, {34, 1}, 3, 0},
                                  TwoSides{{0}, {3}, 0, 0}, TwoSides{{4}, {0}, 0, 2}, TwoSides{{}, {}, 0, 0}}) {
      const Component judged = component(DecoderCase{small_decoder(norm, 2, 0.3, unit), sides});
      for (const Runner& r : judged.devices) expect(parity(judged, r));
    }
  });
}

TEST_CASE("decoder: golden values, dropout on") {
  each_form([](Norm norm, DecoderUnit unit) {
    const StackOptions o = small_decoder(norm, 2, 0.3, unit);
    expect(golden(component(DecoderLayerCase{o}), "decoder_layer_" + form_of(norm, unit)));
    expect(golden(component(DecoderCase{o}), "decoder_" + form_of(norm, unit)));
  });
}

namespace {
/// The rows of "y" that change, on every device, when element 0 of row `row` of an input changes.
std::vector<std::size_t> rows_moved(const DecoderCase& the_case, const std::string& input, std::size_t row) {
  const Component judged = component(the_case);
  const std::size_t D = the_case.options.d_model;
  Values a = random_values(judged.description), b = a;
  b.value[input][row * D] += 1;
  std::vector<std::vector<std::size_t>> moved;  // a list for each device
  for (const Runner& r : judged.devices) {
    const auto ya = r.run(a, {}).output.at("y"), yb = r.run(b, {}).output.at("y");
    moved.emplace_back();
    for (std::size_t n = 0; n < the_case.sides.Nt(); ++n) {
      const auto first = static_cast<std::ptrdiff_t>(n * D), last = first + static_cast<std::ptrdiff_t>(D);
      if (!std::equal(ya.begin() + first, ya.begin() + last, yb.begin() + first)) moved.back().push_back(n);
    }
    CHECK(moved.back() == moved.front());
  }
  return moved.front();
}
}  // namespace

TEST_CASE("decoder: a token sees those before it, never those after it") {
  for (const DecoderUnit unit : {DecoderUnit::attention, DecoderUnit::ssru}) {
    const DecoderCase the_case{small_decoder(Norm::pre, 2, 0, unit), {{2, 5}, {3, 4}, 0, 0}};
    CHECK(rows_moved(the_case, "x", 0) == std::vector<std::size_t>{0, 1, 2});
    CHECK(rows_moved(the_case, "x", 2) == std::vector<std::size_t>{2});
    CHECK(rows_moved(the_case, "x", 4) == std::vector<std::size_t>{4, 5, 6});
  }
}

TEST_CASE("decoder: the first token sees the last word of a source of any length") {
  const DecoderCase the_case{small_decoder(Norm::post, 2, 0), {{2, 5}, {3, 4}, 0, 0}};
  CHECK(rows_moved(the_case, "memory", 1) == std::vector<std::size_t>{0, 1, 2});
  CHECK(rows_moved(the_case, "memory", 6) == std::vector<std::size_t>{3, 4, 5, 6});
}

TEST_CASE("decoder: every parameter has a gradient, those of cross-attention too") {
  each_form([](Norm norm, DecoderUnit unit) {
    DecoderCase the_case{small_decoder(norm, 3, 0, unit), {{4, 3}, {3, 4}, 0, 0}};
    the_case.options.activation = Activation::gelu;     // a ReLU that is off for every token passes no gradient on
    std::size_t expected = norm == Norm::pre ? 12 : 0;  // the first norm
    expected += 3 * (unit == DecoderUnit::ssru ? 2 * 6 * 6 + 6 : 4 * 6 * 6);
    expected += 3 * (4 * 6 * 6 + 2 * 6 * 5 + 5 + 6 + 3 * (2 * 6));  // cross-attention, feed-forward, norms
    CHECK(the_case.layout().size() == expected);
    const Component judged = component(the_case);
    for (const Runner& r : judged.devices) {
      for (const auto& [name, gradient] : r.run(random_values(judged.description), {}).gradient) {
        INFO(r.device << ", " << name);
        CHECK(std::any_of(gradient.begin(), gradient.end(), [](double g) { return g != 0; }));
      }
    }
  });
}

TEST_CASE("decoder: other weights in cross-attention give another output") {
  const Component judged = component(DecoderCase{});
  Values a = random_values(judged.description), b = a;
  b.value["decoder.0.cross_attention.wqkv"][0] += 0.5;
  for (const Runner& r : judged.devices) CHECK(r.run(a, {}).output.at("y") != r.run(b, {}).output.at("y"));
}
