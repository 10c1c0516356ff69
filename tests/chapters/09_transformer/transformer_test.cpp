#include "chapters/09_transformer/transformer_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The bounds of a whole model: rounding adds up through its layers.
Bounds model_bounds() {
  Bounds b;
  b.finite_differences = 1e-6;
  b.dual = 1e-10;
  b.golden = 1e-10;
  return b;
}

}  // namespace

TEST_CASE("transformer: finite differences and dual numbers agree with backward", "[gradients]") {
  each_form([](Norm norm, DecoderUnit unit) {
    const TwoSides sides{{3, 0, 1}, {1, 2, 1}, 1, 1};
    expect(gradients(component(TransformerCase{small_model(norm, Tying::all, 0.3, unit), sides}), model_bounds()));
  });
}

TEST_CASE("transformer: every tying has right gradients on every device", "[slow]") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    for (const Tying tying : {Tying::none, Tying::output, Tying::all}) {
      TransformerCase the_case{small_model(norm, tying)};
      the_case.config.d_model = 8;  // with four columns, a norm can multiply a rounding error of float by 200
      if (tying != Tying::all) the_case.config.source_vocab = 9;
      the_case.config.attention_bias = tying == Tying::none;
      const Component judged = component(the_case);
      for (const Runner& r : judged.devices) {
        if (r.is_double) expect(dual_numbers(judged, r, model_bounds()));
        expect(parity(judged, r));
      }
    }
  }
}

TEST_CASE("transformer: every device keeps the contract") {
  each_form([](Norm norm, DecoderUnit unit) {
    const Component judged = component(TransformerCase{small_model(norm, Tying::output, 0.3, unit)});
    for (const Runner& r : judged.devices) expect(contract(judged, r));
  });
}

TEST_CASE("transformer: golden values, dropout on and off") {
  each_form([](Norm norm, DecoderUnit unit) {
    const TransformerCase dropped{small_model(norm, Tying::all, 0.3, unit)};
    expect(golden(component(dropped), "transformer_" + form_of(norm, unit), model_bounds()));
  });
  for (const Norm norm : {Norm::pre, Norm::post}) {
    const std::string name = "transformer_" + placement(norm);
    TransformerCase inference{small_model(norm, Tying::none, 0)};
    inference.config.source_vocab = 9;
    inference.config.attention_bias = true;
    inference.config.activation = Activation::gelu;
    expect(golden(component(inference), name + "_still", model_bounds()));
  }
}

TEST_CASE("transformer: after one backward pass every parameter has a gradient") {
  each_form([](Norm norm, DecoderUnit unit) {
    TransformerCase the_case{small_model(norm, Tying::none, 0, unit), {{4, 3}, {3, 4}, 0, 0}};
    the_case.config.activation = Activation::gelu;  // a ReLU that is off for every token passes no gradient on
    the_case.config.attention_bias = true;
    const Component judged = component(the_case);
    for (const Runner& r : judged.devices) {
      const Run run = r.run(random_values(judged.description), {});
      CHECK(run.gradient.size() == the_case.layout().slices().size());
      for (const auto& [name, gradient] : run.gradient) {
        INFO(r.device << ", " << name);
        CHECK(std::any_of(gradient.begin(), gradient.end(), [](double g) { return g != 0; }));
      }
    }
  });
}

// A shift of all keys adds the same number to all scores of a query, which does not change the softmax.
TEST_CASE("transformer: the gradient of a key bias is zero, by theorem") {
  TransformerCase the_case{small_model(Norm::pre, Tying::none)};
  the_case.config.attention_bias = true;
  const Component judged = component(the_case);
  const std::size_t D = the_case.config.d_model;
  for (const Runner& r : judged.devices) {
    if (!r.is_double) continue;
    const Run run = r.run(random_values(judged.description), {});
    for (const std::string name : {"encoder.0.self_attention", "encoder.1.self_attention",
                                   "decoder.0.self_attention", "decoder.1.cross_attention"}) {
      const std::vector<double>& g = run.gradient.at(name + ".bqkv");
      double key = 0, all = 0;
      for (std::size_t i = 0; i < g.size(); ++i) {
        all = std::max(all, std::abs(g[i]));
        if (i >= D && i < 2 * D) key = std::max(key, std::abs(g[i]));
      }
      INFO(r.device << ", " << name << ": " << key << " of " << all);
      CHECK(all > 1e-3);
      CHECK(key <= 1e-12 * all);
    }
  }
}

TEST_CASE("transformer: the last source word moves the first logits") {
  const TransformerCase the_case{small_model(Norm::pre, Tying::none, 0), {{6, 2}, {2, 3}, 0, 0}};
  const Component judged = component(the_case);
  for (const Runner& r : judged.devices) {
    const Values a = random_values(judged.description);
    Values b = a;
    const std::size_t last = static_cast<std::size_t>(TransformerCase::ids(8, 8, 7, 4)[5]);
    b.value["source_embedding"][last * 4] += 0.3;  // one column: a shift of all would be lost in the first norm
    CHECK(r.run(a, {}).output.at("logits")[0] != r.run(b, {}).output.at("logits")[0]);
  }
}

TEST_CASE("transformer: a sentence of exactly max_length tokens fits, on either side; one token more is an error") {
  for (const bool long_source : {true, false}) {
    TransformerCase the_case{};
    the_case.sides = long_source ? TwoSides{{2, 5}, {3, 1}, 1, 2} : TwoSides{{3, 1}, {2, 5}, 1, 2};
    const Values values = random_values(component(the_case).description);
    for (const std::size_t longest : {5, 4}) {
      the_case.config.max_length = longest;
      for (const Runner& r : component(the_case).devices) {
        INFO(r.device << ", max_length " << longest);
        if (longest == 5) CHECK_NOTHROW(r.run(values, {}));
        if (longest == 4) CHECK_THROWS_AS(r.run(values, {}), Error);
      }
    }
  }
}

TEST_CASE("transformer: a word or a position that the model does not have is an error") {
  TransformerCase the_case{};
  Component judged = component(the_case);
  const Values values = random_values(judged.description);
  the_case.config.max_length = 3;  // the longest source has 4
  for (const Runner& r : component(the_case).devices) CHECK_THROWS_AS(r.run(values, {}), Error);
  the_case = {};
  the_case.config.tying = Tying::none;
  the_case.config.source_vocab = 4;  // ids go up to 6
  judged = component(the_case);
  struct BadIds : TransformerCase {
    void describe(Description& d) const {
      TransformerCase::describe(d);
      d.ints("source", std::vector<std::int32_t>(sides.Ns(), 4));
    }
  };
  BadIds bad;
  static_cast<TransformerCase&>(bad) = the_case;
  for (const Runner& r : component(bad).devices) {
    CHECK_THROWS_AS(r.run(random_values(judged.description), {}), Error);
  }
}
