#include "07_encoder/tiny_model.hpp"
#include "09_transformer/greedy.hpp"
#include "10_training/data/tiny_corpus.hpp"
#include "10_training/trainer.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

TinyCorpus corpus() { return load_tiny_corpus(GRADUS_CHAPTERS "/10_training/data/six_sentences.tsv"); }

/// The model's answers to the six sentences, in words.
template <class Dev>
std::vector<std::string> answers(const Model<Dev>& model, const TinyCorpus& six) {
  Dev dev;
  std::vector<Sentence> sources = six.pairs.source;
  for (Sentence& s : sources) s.push_back(six.source.specials().eos);
  std::vector<std::string> output;
  for (const Sentence& s : greedy_decode(dev, sources, model.params, model.config)) {
    output.push_back(six.target.decode(s));
  }
  return output;
}

}  // namespace

TEST_CASE("milestone: six sentences are learnt by heart", "[slow]") {
  const TinyCorpus six = corpus();
  REQUIRE(six.german.size() == 6);
  ModelConfig config = tiny_config(six);
  config.d_model = 16, config.ffn = 32;
  TrainingPlan plan;
  plan.epochs = 200;
  plan.schedule = {ScheduleKind::inverse_sqrt, 1e-2, 40};
  for (const Norm norm : {Norm::pre, Norm::post}) {
    config.norm = norm;
    Cpu<float> dev;
    Model<Cpu<float>> model(dev, config);
    initialise(dev, model.flat(), model.layout, {});
    CHECK(answers(model, six) != six.german);
    Workers workers(2);
    Trainer<Cpu<float>> trainer(model, six.pairs, plan, workers);
    REQUIRE(trainer.run({}) == Outcome::finished);
    CHECK(answers(model, six) == six.german);
  }
}

TEST_CASE("the tiny model of the demos gives all six translations, on both devices") {
  const TinyCorpus six = corpus();
  CHECK(tiny_config(six).source_vocab == tiny::english().size());
  Reference<double> reference;
  Model<Reference<double>> model(reference, tiny_config(six));
  tiny::load(reference, model.flat(), model.layout);
  CHECK(answers(model, six) == six.german);
  Cpu<float> cpu;
  Model<Cpu<float>> fast(cpu, tiny_config(six));
  tiny::load(cpu, fast.flat(), fast.layout);
  CHECK(answers(fast, six) == six.german);
}

TEST_CASE("the words and the ids of the demos are those that the vocabulary learns from the six sentences") {
  const TinyCorpus six = corpus();
  const auto words = [](const Vocabulary& vocabulary) {
    std::vector<std::string> all;
    for (int id = 0; id < vocabulary.size(); ++id) all.push_back(vocabulary.word(id));
    return all;
  };
  CHECK(words(six.source) == tiny::english());
  CHECK(words(six.target) == tiny::german());
  const HostBatch first = pack({0}, six.pairs, {});
  CHECK(first.source == tiny::source_ids());
  CHECK(first.decoder_input == tiny::decoder_input_ids());
  CHECK(first.target == tiny::target_ids());
}
