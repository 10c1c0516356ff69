#include <algorithm>
#include <cmath>
#include <set>

#include "09_transformer/model.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

Layout layer_layout() {
  StackOptions o;
  o.d_model = 4, o.heads = 2, o.ffn = 3;
  o.attention_bias = {true, true};
  Layout layout;
  Binder<Cpu<double>> bind(layout);
  encoder_layer_params(bind, "layer", o);
  layout.finish();
  return layout;
}

std::vector<double> values_of(const Layout& layout, const std::string& name, const InitialisationOptions& options) {
  for (std::size_t i = 0; i < layout.slices().size(); ++i) {
    if (layout.slices()[i].name == name) return initial_values(layout, i, options);
  }
  fail("no parameter " + name);
}

double variance(const std::vector<double>& v) {
  double sum = 0, squares = 0;
  for (const double x : v) sum += x, squares += x * x;
  const double n = static_cast<double>(v.size()), mean = sum / n;
  return squares / n - mean * mean;
}

/// One layer on each side, with biases everywhere, and three tables.
Layout layer_and_tables() {
  ModelConfig c;
  c.source_vocab = 9, c.target_vocab = 7;
  c.d_model = 8, c.heads = 2, c.ffn = 5, c.encoder_layers = c.decoder_layers = 1;
  c.tying = Tying::none;
  c.attention_bias = true;
  return transformer_layout<Cpu<double>>(c);
}

bool is_of_a_map(const std::string& bias) { return bias.find("norm") == bias.npos; }

ModelConfig wide() {
  ModelConfig c;
  c.source_vocab = 300, c.target_vocab = 200;
  c.d_model = 64, c.ffn = 256, c.encoder_layers = c.decoder_layers = 1;
  c.tying = Tying::none;
  return c;
}

}  // namespace

TEST_CASE("initialisation: the names of files and command lines") {
  check_names<Initialisation>({"xavier", "kaiming", "kaiming-uniform", "normal", "pytorch"});
  check_names<TableInitialisation>({"scaled", "like-weights"});
}

TEST_CASE("initialise: the first values are those of a separate implementation") {
  const auto stored = SafetensorsFile::load(std::string(GRADUS_GOLDEN) + "/initial_values.safetensors");
  const Layout layout = layer_layout();
  const std::vector<std::pair<std::string, Initialisation>> kinds = {
      {"xavier", Initialisation::xavier},
      {"kaiming", Initialisation::kaiming},
      {"kaiming-uniform", Initialisation::kaiming_uniform},
      {"normal", Initialisation::normal},
      {"pytorch", Initialisation::pytorch}};
  const std::vector<std::pair<std::string, std::string>> maps = {{"wqkv", "self_attention.wqkv"},
                                                                 {"wo", "self_attention.wo"},
                                                                 {"inner.w", "feed_forward.inner.w"},
                                                                 {"outer.w", "feed_forward.outer.w"}};
  const std::vector<std::pair<std::string, std::string>> biases = {{"bqkv", "self_attention.bqkv"},
                                                                   {"bo", "self_attention.bo"},
                                                                   {"inner.b", "feed_forward.inner.b"},
                                                                   {"outer.b", "feed_forward.outer.b"}};
  const auto compare = [&](const std::string& stored_name, const std::vector<double>& found) {
    const auto expected = stored.values<double>(stored_name);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-15).margin(0));
  };
  for (const auto& [kind_name, kind] : kinds) {
    const InitialisationOptions options{kind, 0.02, 7};
    for (const auto& [file, name] : maps) {
      compare(kind_name + "." + file, values_of(layout, "layer." + name, options));
    }
    for (const auto& [file, name] : biases) {
      const std::vector<double> found = values_of(layout, "layer." + name, options);
      if (kind == Initialisation::pytorch) {
        compare("pytorch." + file, found);
      } else {
        CHECK(found == std::vector<double>(found.size(), 0.0));
      }
    }
  }
}

TEST_CASE("initialise: tables like weights have D inputs and Vocab outputs, and their padding row is 0") {
  const auto stored = SafetensorsFile::load(std::string(GRADUS_GOLDEN) + "/initial_values.safetensors");
  Layout layout;
  layout.declare({"table", Kind::embedding, {5, 4}});
  layout.declare({"embedding", Kind::embedding, {5, 4}, 1, 0, true});
  layout.finish();
  for (const Initialisation kind : {Initialisation::xavier, Initialisation::kaiming}) {
    const InitialisationOptions options{kind, 0.02, 7, TableInitialisation::like_weights};
    const auto found = initial_values(layout, 0, options), embedding = initial_values(layout, 1, options);
    const auto expected = stored.values<double>(std::string(name_of(kind)) + ".table");
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-15).margin(0));
    CHECK(std::count(embedding.begin(), embedding.end(), 0.0) == 4);
    CHECK(embedding[4] != 0);
  }
}

TEST_CASE("initialise: biases of linear maps like PyTorch's with any rule for the matrices; shifts stay at 0") {
  const Layout layout = layer_layout();
  InitialisationOptions xavier{Initialisation::xavier, 0.02, 7}, pytorch{Initialisation::pytorch, 0.02, 7};
  xavier.biases = true;
  for (const std::string name : {"layer.self_attention.bqkv", "layer.self_attention.bo",
                                 "layer.feed_forward.inner.b", "layer.feed_forward.outer.b"})
    CHECK(values_of(layout, name, xavier) == values_of(layout, name, pytorch));
  CHECK(values_of(layout, "layer.self_attention_norm.beta", xavier) == std::vector<double>(4, 0.0));
}

TEST_CASE("initialise: every matrix has the variance that its rule promises") {
  const Layout layout = transformer_layout<Cpu<double>>(wide());
  const auto spread = [&](const std::string& name, Initialisation kind, double sigma = 0.02) {
    return variance(values_of(layout, name, {kind, sigma, 3}));
  };
  const std::string inner = "encoder.0.feed_forward.inner.w", wqkv = "decoder.0.cross_attention.wqkv";
  CHECK(spread(inner, Initialisation::xavier) == Approx(2.0 / (64 + 256)).epsilon(0.04));
  CHECK(spread(wqkv, Initialisation::xavier) == Approx(2.0 / (64 + 64)).epsilon(0.04));  // three maps of 64 x 64
  CHECK(spread(inner, Initialisation::kaiming) == Approx(2.0 / 64).epsilon(0.04));
  CHECK(spread(inner, Initialisation::kaiming_uniform) == Approx(2.0 / 64).epsilon(0.04));
  CHECK(spread(inner, Initialisation::normal, 0.5) == Approx(0.25).epsilon(0.04));
  CHECK(spread(inner, Initialisation::pytorch) == Approx(1.0 / (3 * 64)).epsilon(0.04));
}

TEST_CASE("initialise: tables are normal(0, 1 / D), whatever the matrices are, and padding starts at zero") {
  const Layout layout = transformer_layout<Cpu<double>>(wide());
  for (const Initialisation kind : {Initialisation::xavier, Initialisation::kaiming, Initialisation::normal}) {
    for (const std::string name : {"source_embedding", "target_embedding", "output"}) {
      CHECK(variance(values_of(layout, name, {kind, 0.02, 3})) == Approx(1.0 / 64).epsilon(0.05));
    }
  }
  for (const Initialisation kind :
       {Initialisation::xavier, Initialisation::kaiming, Initialisation::normal, Initialisation::pytorch}) {
    const auto source = values_of(layout, "source_embedding", {kind, 0.02, 3});
    CHECK(std::vector<double>(source.begin(), source.begin() + 64) == std::vector<double>(64, 0.0));
    CHECK(source[64] != 0);
    CHECK(values_of(layout, "output", {kind, 0.02, 3})[0] != 0);  // no word is looked up there
  }
  CHECK(variance(values_of(layout, "source_embedding", {Initialisation::pytorch, 0.02, 3})) ==
        Approx(1).epsilon(0.05));
}

TEST_CASE("initialise: norms begin as they are and biases at zero") {
  const Layout layout = transformer_layout<Cpu<double>>(wide());
  CHECK(values_of(layout, "encoder.first_norm.gamma", {}) == std::vector<double>(64, 1.0));
  CHECK(values_of(layout, "encoder.first_norm.beta", {}) == std::vector<double>(64, 0.0));
  CHECK(values_of(layout, "decoder.0.feed_forward.inner.b", {}) == std::vector<double>(256, 0.0));
  const InitialisationOptions pytorch{Initialisation::pytorch, 0.02, 1};
  CHECK(values_of(layout, "encoder.first_norm.beta", pytorch) == std::vector<double>(64, 0.0));
}

TEST_CASE("initialise: another seed, parameter or element gives another number; the same ones the same") {
  const Layout layout = transformer_layout<Cpu<double>>(wide());
  const auto a = values_of(layout, "encoder.0.self_attention.wo", {}),
             b = values_of(layout, "encoder.0.self_attention.wo", {});
  CHECK(a == b);
  CHECK(a != values_of(layout, "encoder.0.self_attention.wo", {Initialisation::xavier, 0.02, 2}));
  CHECK(a != values_of(layout, "decoder.0.self_attention.wo", {}));
  std::vector<double> sorted = a;
  std::sort(sorted.begin(), sorted.end());
  const auto repeated = sorted.end() - std::unique(sorted.begin(), sorted.end());
  CHECK(repeated <= 1);  // 4096 draws of 32 bits: a pair in five hundred seeds
}

TEST_CASE("initialise: every device starts from the same weights") {
  ModelConfig c = wide();
  c.d_model = 8, c.ffn = 4;
  Reference<double> reference;
  Cpu<double> cpu;
  Cpu<float> single;
  const Model<Reference<double>> a(reference, c);
  const Model<Cpu<double>> b(cpu, c);
  const Model<Cpu<float>> f(single, c);
  initialise(reference, a.flat(), a.layout, {});
  initialise(cpu, b.flat(), b.layout, {});
  initialise(single, f.flat(), f.layout, {});
  for (std::size_t i = 0; i < a.layout.size(); ++i) {
    REQUIRE(a.flat()[i] == b.flat()[i]);
    REQUIRE(f.flat()[i] == static_cast<float>(a.flat()[i]));
  }
}

TEST_CASE("initialise: the seed decides every matrix and every table, and it alone") {
  const Layout layout = layer_and_tables();
  for (const Initialisation kind :
       {Initialisation::xavier, Initialisation::kaiming, Initialisation::normal, Initialisation::pytorch}) {
    for (std::size_t i = 0; i < layout.slices().size(); ++i) {
      const Slice& slice = layout.slices()[i];
      const bool drawn = slice.kind == Kind::weight || slice.kind == Kind::embedding ||
                         (slice.kind == Kind::bias && kind == Initialisation::pytorch && is_of_a_map(slice.name));
      INFO(slice.name << ", kind " << static_cast<int>(kind));
      std::set<std::vector<double>> seen;
      for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL, (1ULL << 32) + 1}) {
        const auto values = initial_values(layout, i, {kind, 0.02, seed});
        CHECK(values == initial_values(layout, i, {kind, 0.02, seed}));
        seen.insert(values);
      }
      CHECK(seen.size() == (drawn ? 4 : 1));
    }
  }
}

TEST_CASE("initialise: no two matrices or tables are alike, and no two elements of one") {
  const Layout layout = layer_and_tables();
  std::set<double> first;  // the first value of each slice, divided by its spread
  std::size_t slices = 0;
  for (std::size_t i = 0; i < layout.slices().size(); ++i) {
    const Slice& slice = layout.slices()[i];
    if (slice.kind != Kind::weight && slice.kind != Kind::embedding) continue;
    const auto values = initial_values(layout, i, {Initialisation::normal, 1, 5});
    std::set<double> different(values.begin(), values.end());
    different.erase(0.0);  // the row of <pad>
    const bool has_padding = slice.name == "source_embedding" || slice.name == "target_embedding";
    CHECK(different.size() == slice.size() - (has_padding ? slice.shape[1] : 0));
    first.insert(values.back());
    ++slices;
  }
  CHECK(first.size() == slices);
}

TEST_CASE("initialise: values depend on the declaration of a parameter, not on its name") {
  const std::vector<Declaration> declarations{{"first", Kind::weight, {4, 12}, 3},
                                              {"second", Kind::weight, {4, 12}},
                                              {"third", Kind::bias, {12}, 1, 4},
                                              {"fourth", Kind::bias, {12}},
                                              {"fifth", Kind::embedding, {5, 4}, 1, 0, true},
                                              {"sixth", Kind::embedding, {5, 4}}};
  const std::vector<std::string> misleading{"a.wo", "a.wqkv", "a.beta", "a.bqkv", "output", "embedding"};
  Layout plain, renamed;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    Declaration d = declarations[i];
    plain.declare(d);
    d.name = misleading[i];
    renamed.declare(d);
  }
  plain.finish(), renamed.finish();
  InitialisationOptions options;
  const auto largest = [&](const std::string& name) {
    double most = 0;
    for (const double v : values_of(plain, name, options)) most = std::max(most, std::abs(v));
    return most;
  };
  for (const Initialisation kind : {Initialisation::xavier, Initialisation::pytorch}) {
    options.weights = kind;
    for (std::size_t i = 0; i < plain.slices().size(); ++i)
      CHECK(initial_values(plain, i, options) == initial_values(renamed, i, options));
  }
  CHECK(largest("third") > 0);
  CHECK(largest("third") <= 0.5);  // 1 / sqrt(inputs)
  CHECK(largest("fourth") == 0);
  options.weights = Initialisation::xavier;
  CHECK(largest("first") > std::sqrt(6.0 / (4 + 12)));  // three maps (4, 4): wider than one (4, 12)
  CHECK(largest("first") <= std::sqrt(6.0 / (4 + 4)));
  CHECK(largest("second") <= std::sqrt(6.0 / (4 + 12)));
  const auto fifth = values_of(plain, "fifth", options), sixth = values_of(plain, "sixth", options);
  CHECK(std::vector<double>(fifth.begin(), fifth.begin() + 4) == std::vector<double>(4, 0));
  CHECK(fifth[4] != 0);
  CHECK(sixth[0] != 0);
}
