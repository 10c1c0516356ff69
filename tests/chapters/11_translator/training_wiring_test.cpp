// From the words of a command line to the steps of the training, and from these to the reports: each number of the
// log is compared with one that is computed here.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "10_training/trainer.hpp"
#include "11_translator/metrics/bleu.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Json = nlohmann::json;

/// The objects of a log with this event.
std::vector<Json> logged(const Playground& place, const std::string& event) {
  std::vector<Json> all;
  for (const std::string& line : read_lines(place.file("log"))) {
    Json json = Json::parse(line);
    if (json.at("event") == event) all.push_back(std::move(json));
  }
  return all;
}

IdPairs encoded(const LinePairs& lines, const Tokenizers& words) {
  IdPairs pairs;
  for (const std::string& line : lines.source) pairs.source.push_back(words.source.encode(line));
  for (const std::string& line : lines.target) pairs.target.push_back(words.target.encode(line));
  return pairs;
}

/// The expected training.
struct ByHand {
  ModelConfig model;
  InitialisationOptions first;
  OptimiserOptions optimiser;
  double smoothing = 0;
  std::size_t batch_tokens = 600;
  std::vector<double> rates;  ///< of the first steps
};

/// Requires that the steps by hand equal those in the log, to the bit.
void check_steps(const Playground& place, ByHand by_hand) {
  const Tokenizers words = load_model(place.file("run")).tokenizers;
  by_hand.model.source_vocab = words.source.size();
  by_hand.model.target_vocab = words.target.size();
  const IdPairs pairs = encoded(read_pairs(toy("train.en"), toy("train.de"), read_file), words);
  Cpu<float> dev;
  Model<Cpu<float>> model(dev, by_hand.model);
  initialise(dev, model.flat(), model.layout, by_hand.first);
  Corpus<Cpu<float>> corpus(dev, pairs, {});
  corpus.set_batches(dev, make_batches(pairs, {by_hand.batch_tokens, 0}, by_hand.first.seed, 1));
  Workers workers(1);
  TrainingStep<Cpu<float>> step(model, corpus, 8, by_hand.smoothing, by_hand.optimiser, workers);
  const auto steps = logged(place, "step");
  REQUIRE(steps.size() == by_hand.rates.size());
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    INFO("step " << k + 1);
    const StepResult found = step.run(k, {by_hand.first.seed, k + 1, by_hand.rates[k]});
    CHECK(steps[k].at("learning_rate").get<double>() == Approx(by_hand.rates[k]).epsilon(1e-12));
    CHECK(steps[k].at("loss").get<double>() == found.loss);
    CHECK(steps[k].at("gradient_norm").get<double>() == found.gradient_norm);
  }
}

ModelConfig small_model() {
  ModelConfig m;
  m.d_model = 16, m.heads = 4, m.ffn = 24;
  m.encoder_layers = m.decoder_layers = 2;
  return m;
}

const std::string small_words = "--tokenizer word --d-model 16 --heads 4 --ffn 24 --layers 2 --batch-tokens 600 ";

}  // namespace

TEST_CASE("wiring: every rate of dropout, smoothing, the seed, Adam and its update reach the step") {
  const Playground place("wiring-adam");
  const Result r = gradus_program(
      place,
      toy_training(place.file("run"), small_words +
                                          "--vocab separate --embedding-dropout 0.05 --attention-dropout 0.1 "
                                          "--activation-dropout 0.15 --residual-dropout 0.2 --label-smoothing 0.25 "
                                          "--seed 9 --init normal --adam-beta1 0.8 --adam-beta2 0.9 --adam-epsilon "
                                          "0.001 --clip 0.3 --weight-decay 0.5 --schedule inverse-sqrt --warmup 3 "
                                          "--learning-rate 0.02 --max-steps 5 --log-json " +
                                          place.file("log")));
  INFO(r.err);
  REQUIRE(r.status == 0);
  ByHand h;
  h.model = small_model();
  h.model.tying = Tying::output;
  h.model.embedding_rate = 0.05, h.model.attention_rate = 0.1;
  h.model.activation_rate = 0.15, h.model.residual_rate = 0.2;
  h.first = {Initialisation::normal, 0.02, 9};
  h.optimiser.adam = {0.8, 0.9, 0.001, {0.3, 0.5, Decay::decoupled, 0}};
  h.smoothing = 0.25;
  h.rates = {0.02 / 3, 0.04 / 3, 0.02, 0.02 * std::sqrt(3.0 / 4), 0.02 * std::sqrt(3.0 / 5)};
  check_steps(place, h);
}

TEST_CASE("wiring: one rate of dropout for all, half of it for attention; SGD, its momentum and coupled decay") {
  const Playground place("wiring-sgd");
  const Result r = gradus_program(
      place, toy_training(place.file("run"),
                          small_words +
                              "--dropout 0.4 --norm post --activation gelu --attention-bias --untied "
                              "--no-scale-embedding --label-smoothing 0 --optimizer sgd --momentum 0.6 "
                              "--clip 0.4 --weight-decay 0.2 --decay coupled --schedule constant --warmup "
                              "0 --learning-rate 0.5 --seed 3 --init pytorch --max-steps 4 --log-json " +
                              place.file("log")));
  INFO(r.err);
  REQUIRE(r.status == 0);
  ByHand h;
  h.model = small_model();
  h.model.tying = Tying::none, h.model.norm = Norm::post, h.model.activation = Activation::gelu;
  h.model.attention_bias = true, h.model.scale_embedding = false;
  h.model.embedding_rate = h.model.activation_rate = h.model.residual_rate = 0.4;
  h.model.attention_rate = 0.2;
  h.first = {Initialisation::pytorch, 0.02, 3};
  h.optimiser.kind = Optimiser::sgd;
  h.optimiser.sgd = {0.6, {0.4, 0.2, Decay::coupled, 0}};
  h.rates = {0.5, 0.5, 0.5, 0.5};
  check_steps(place, h);
}

TEST_CASE(
    "wiring: biases of the output layer and of W_O, no positions, an SSRU, and first values as torch.nn.init has "
    "them") {
  const Playground place("wiring-biases");
  const Result r = gradus_program(
      place, toy_training(place.file("run"),
                          small_words +
                              "--dropout 0 --untied --output-bias --attention-output-bias "
                              "--positions none --decoder ssru --init kaiming-uniform --init-tables like-weights "
                              "--init-biases --weight-decay 0.2 --decay coupled --decay-all "
                              "--label-smoothing 0 --clip 0 --schedule constant --warmup 0 "
                              "--learning-rate 0.01 --seed 4 --max-steps 3 --log-json " +
                              place.file("log")));
  INFO(r.err);
  REQUIRE(r.status == 0);
  ByHand h;
  h.model = small_model();
  h.model.tying = Tying::none, h.model.output_bias = h.model.attention_output_bias = true;
  h.model.positions = Positions::none, h.model.decoder_unit = DecoderUnit::ssru;
  h.model.embedding_rate = h.model.activation_rate = h.model.residual_rate = h.model.attention_rate = 0;
  h.first = {Initialisation::kaiming_uniform, 0.02, 4, TableInitialisation::like_weights, true};
  h.optimiser.adam.update = {0, 0.2, Decay::coupled, 0};
  h.optimiser.decays_all = true;
  h.smoothing = 0;
  h.rates = {0.01, 0.01, 0.01};
  check_steps(place, h);
}

TEST_CASE("wiring: the plateau cuts the rate after more validations that are no better than its patience allows") {
  const Playground place("wiring-plateau");
  const std::string source = place.write("s", "A dog runs.\n"), target = place.write("t", "Ein Hund rennt.\n");
  const auto rates = [&](const std::string& more) {
    const Result r = gradus_program(
        place, toy_training(place.file("run"),
                            "--tokenizer word --schedule plateau --learning-rate 1e-6 --warmup 0 --overwrite "
                            "--valid-every 1 --max-steps 8 --valid-source " +
                                source + " --valid-target " + target + " --log-json " + place.file("log") + more));
    INFO(r.err);
    REQUIRE(r.status == 0);
    std::vector<double> found;
    for (const Json& step : logged(place, "step")) found.push_back(step.at("learning_rate").get<double>() / 1e-6);
    std::filesystem::remove(place.file("log"));
    return found;
  };
  const auto near = [](const std::vector<double>& found, const std::vector<double>& expected) {
    return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                      [](double a, double b) { return a == Approx(b); });
  };
  CHECK(near(rates(" --plateau-patience 1"), {1, 1, 1, 0.5, 0.5, 0.25, 0.25, 0.125}));
  CHECK(near(rates(" --plateau-patience 0 --plateau-factor 0.9 --plateau-delay 4"), {1, 1, 1, 1, 1, 1, 0.9, 0.81}));
}

TEST_CASE("wiring: the loss of a validation is that of its pairs, the BLEU that of its translations") {
  const Playground place("wiring-validation");
  std::string sources, targets;
  for (int i = 0; i < 48; ++i) {
    sources += std::string(i % 3 == 0 ? "one" : "two") + (i % 2 == 0 ? " a b c d\n" : " d c b a\n");
    targets += i % 5 == 0 ? "u v w x y z\n" : "u v w x y .\n";
  }
  const LinePairs valid{{"one a b c d", "two d c b a", "three a b c"},
                        {"u v w x y .", "v w x y . z", "u v w w x y ."}};
  const auto joined = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  };
  const std::string words =
      "--tokenizer word --vocab separate --epochs 25 --batch-tokens 100 --learning-rate 0.03 --average-last 1 "
      "--schedule constant --train-source " +
      place.write("s", sources) + " --train-target " + place.write("t", targets) + " --valid-source " +
      place.write("vs", joined(valid.source)) + " --valid-target " + place.write("vt", joined(valid.target));
  const Result r = gradus_program(place, toy_training(place.file("run"), words));
  INFO(r.err);
  REQUIRE(r.status == 0);

  ModelFiles files = load_model(place.file("run"));
  const auto history = training_history(read_file(place.file("run/history.json")), "history");
  REQUIRE(history.validations.size() == 25);
  const ValidationRecord& last = history.validations.back();
  files.weights =
      load_weights<float>(place.file("run/recent-0.safetensors"), transformer_layout<Cpu<float>>(files.config));
  Cpu<float> dev;
  Model<Cpu<float>> model(dev, files.config);
  write(dev, model.flat(), files.weights);
  Workers workers(1);
  CHECK(last.loss == mean_loss(model, encoded(valid, files.tokenizers), {}, workers));
  TranslateOptions greedy;
  greedy.beam_size = 1;
  std::vector<std::string> said;
  for (const auto& best : Translator::of(files).translate(valid.source, greedy)) said.push_back(best[0].text);
  CHECK(last.bleu == corpus_bleu(said, valid.target).score);
  CHECK(last.bleu > 20);  // so that another reference has another score
  CHECK(last.bleu < 90);
  REQUIRE(last.samples.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(last.samples[i].source == valid.source[i]);
    CHECK(last.samples[i].reference == valid.target[i]);
    CHECK(last.samples[i].translation == said[i]);
  }
}
