#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "10_training/optimiser/schedule.hpp"
#include "10_training/step/step.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The model of `./transformer dump`.
ModelConfig config_of(PlainNumbers& plain, Norm norm) {
  const std::vector<std::size_t> sizes = plain.sizes("words,D,H,F"), layers = plain.sizes("layers,B");
  ModelConfig c;
  c.source_vocab = sizes[0], c.target_vocab = sizes[1];
  c.d_model = sizes[2], c.heads = sizes[3], c.ffn = sizes[4];
  c.encoder_layers = layers[0], c.decoder_layers = layers[1];
  c.norm = norm;
  return c;
}

constexpr std::int32_t bos = 1, eos = 2;

/// The words of each row of a padded batch, without marks.
std::vector<std::vector<std::int32_t>> sentences(const std::vector<double>& ids, std::size_t count) {
  std::vector<std::vector<std::int32_t>> result(count);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto id = static_cast<std::int32_t>(ids[i]);
    if (id > eos) result[i / (ids.size() / count)].push_back(id);
  }
  return result;
}

IdPairs pairs_of(PlainNumbers& plain) {
  const std::size_t count = plain.sizes("layers,B")[2];
  IdPairs pairs{sentences(plain.input("source"), count), sentences(plain.input("input"), count)};
  REQUIRE(pairs.target == sentences(plain.input("target"), count));
  for (auto* side : {&pairs.source, &pairs.target}) {  // there is padding
    const auto shorter = [](const auto& a, const auto& b) { return a.size() < b.size(); };
    const auto [least, most] = std::minmax_element(side->begin(), side->end(), shorter);
    REQUIRE(least->size() < most->size());
  }
  return pairs;
}

/// What the plain program calls a norm of the library. With pre-norm, the library names a norm after the sublayer before it,
/// the plain program after the one behind it.
std::map<std::string, std::string> names_of_norms(const ModelConfig& c) {
  std::map<std::string, std::string> names;
  for (const std::string side : {"encoder", "decoder"}) {
    std::vector<std::string> library, plain;
    if (c.norm == Norm::pre) library.push_back(side + ".first_norm");
    for (std::size_t l = 0; l < (side == "encoder" ? c.encoder_layers : c.decoder_layers); ++l) {
      for (const std::string sub : {"self_attention", "cross_attention", "feed_forward"}) {
        if (side == "encoder" && sub == "cross_attention") continue;
        const std::string name = side + "." + std::to_string(l) + "." + sub;
        library.push_back(name + "_norm");
        plain.push_back(name + ".norm");
      }
    }
    if (c.norm == Norm::pre) plain.push_back(side + ".last_norm");
    REQUIRE(library.size() == plain.size());
    for (std::size_t i = 0; i < library.size(); ++i) names[library[i]] = plain[i];
  }
  return names;
}

/// The values of one of the library's parameters, as the plain program prints them: `prefix` is "", "d" or "after.".
std::vector<double> values_of(PlainNumbers& plain, const ModelConfig& c, const std::string& prefix,
                              const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string owner = name.substr(0, dot), last = dot == std::string::npos ? "" : name.substr(dot + 1);
  const auto of = [&](const std::string& plain_name) { return plain.input(prefix + plain_name); };
  if (last == "wqkv") return side_by_side({of(owner + ".q.w"), of(owner + ".k.w"), of(owner + ".v.w")}, c.d_model);
  if (last == "wo") return of(owner + ".o.w");
  if (last == "gamma" || last == "beta") return of(names_of_norms(c).at(owner) + "." + last);
  return of(name);
}

void agree(PlainNumbers& plain, const ModelConfig& c, const std::string& prefix, const Layout& layout,
           const double* flat, double bound) {
  for (const Slice& slice : layout.slices()) {
    const std::vector<double> expected = values_of(plain, c, prefix, slice.name);
    REQUIRE(expected.size() == slice.size());
    for (std::size_t i = 0; i < slice.size(); ++i) {
      CAPTURE(prefix, slice.name, i, expected[i], flat[slice.offset + i]);
      CHECK(std::fabs(expected[i] - flat[slice.offset + i]) <= bound);
    }
  }
}

/// The same weights and sentences in the library: three steps of training.
template <class Dev>
void compare(PlainNumbers& plain, Norm norm) {
  const ModelConfig config = config_of(plain, norm);
  Dev dev;
  Model<Dev> model(dev, config);
  for (const Slice& slice : model.layout.slices()) {
    const std::vector<double> values = values_of(plain, config, "", slice.name);
    REQUIRE(values.size() == slice.size());
    std::copy(values.begin(), values.end(), model.flat().data + slice.offset);
  }
  const IdPairs pairs = pairs_of(plain);
  Corpus<Dev> corpus(dev, pairs, {bos, eos, eos});
  corpus.set_batches(dev, {{0, 1, 2, 3}});
  Workers workers(1);
  const std::vector<double>& smoothing_and_loss = plain.input("smoothing,loss");
  TrainingStep<Dev> training(model, corpus, 1, smoothing_and_loss[0], {}, workers);
  const Schedule schedule{ScheduleKind::inverse_sqrt, 1 / std::sqrt(2.0 * static_cast<double>(config.d_model)), 2};
  for (std::uint32_t step = 1; step <= 3; ++step) {
    const StepResult result = training.run(0, {1, step, learning_rate(schedule, step)});
    if (step > 1) continue;
    CHECK(std::fabs(result.loss - smoothing_and_loss[1]) <= 1e-12);
    agree(plain, config, "d", model.layout, training.gradient().data, 1e-12);
  }
  agree(plain, config, "after.", model.layout, model.flat().data, 1e-12);
}

}  // namespace

TEMPLATE_TEST_CASE("transformer.cpp: loss, all gradients and three steps of Adam are the library's", "",
                   Reference<double>, Cpu<double>) {
  for (const Norm norm : {Norm::post, Norm::pre}) {
    PlainNumbers plain(GRADUS_PLAIN, norm == Norm::post ? "dump post" : "dump pre");
    compare<TestType>(plain, norm);
    plain.all_were_used();
  }
}

TEST_CASE("transformer.cpp: loss, all gradients and three steps of Adam are those of PyTorch's own layers") {
  for (const std::string norm : {"post", "pre"}) {
    PlainNumbers plain(GRADUS_PLAIN, "dump " + norm);
    const auto golden = SafetensorsFile::load(GRADUS_GOLDEN "/plain_" + norm + ".safetensors");
    for (const std::string& name : golden.names()) {
      const std::vector<double> expected = golden.values<double>(name);
      const std::vector<double> found =
          name == "loss" ? std::vector<double>{plain.input("smoothing,loss")[1]} : plain.input(name);
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(norm, name, i, expected[i], found[i]);
        CHECK(std::fabs(expected[i] - found[i]) <= 1e-9);
      }
      if (name.rfind("after.", 0) == 0) plain.input(name.substr(6));  // where PyTorch began
    }
    for (const char* name : {"words,D,H,F", "layers,B", "source", "input", "target"}) plain.input(name);
    plain.all_were_used();  // so the file has every gradient
  }
}
