// The whole chapter, offline: subwords, training, storing, loading, search and BLEU on the toy corpus. It takes
// more than a minute, so it has its own program and the label `long`.

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/training/training_run.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/io/lines.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using test::toy;

namespace {

/// The recipe that the lesson gives for the toy corpus.
TrainingRequest recipe(const std::string& output, std::uint64_t seed) {
  TrainingRequest r;
  r.train_source = toy("train.en"), r.train_target = toy("train.de");
  r.valid_source = toy("valid.en"), r.valid_target = toy("valid.de");
  r.output = output;
  r.tokenizer.vocab_size = 500;
  r.model.d_model = 64, r.model.heads = 4, r.model.ffn = 128;
  r.model.encoder_layers = r.model.decoder_layers = 2;
  r.model.tying = Tying::all;
  r.model.embedding_rate = r.model.activation_rate = r.model.residual_rate = 0.2;
  r.model.attention_rate = 0.1;
  r.plan.seed = seed;
  r.plan.epochs = 400;
  r.plan.batches.tokens = 600;
  r.plan.schedule = {ScheduleKind::linear, 5e-3, 100};
  r.plan.optimiser.adam.update.clip = 1;
  r.plan.average_last = 5;
  return r;
}

double bleu(const Translator& translator, std::size_t beam_size) {
  TranslateOptions options;
  options.beam_size = beam_size;
  options.threads = 2;
  std::vector<std::string> translated;
  for (const auto& best : translator.translate(read_lines(toy("test.en")), options)) {
    translated.push_back(best.front().text);
  }
  return corpus_bleu(translated, read_lines(toy("test.de"))).score;
}

}  // namespace

// Seeds 1, 2 and 3 reach 87.1, 87.6 and 81.8 with the beam, 86.0, 87.6 and 80.5 without; 20 epochs reach 13. Processors
// round differently, and so their trainings do. With 40 sentences that alone moves a score by two points, and once the
// beam lost two against greedy search. So the two searches are compared by the mean over the seeds.
TEST_CASE("toy corpus: after a minute of training, sentences that it has never seen are translated well") {
  const test::TemporaryFolder folder;
  constexpr std::uint64_t seeds = 3;
  double greedy = 0, beam = 0;
  std::string scores;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string model = folder.path("village-" + std::to_string(seed));
    REQUIRE(train(recipe(model, seed), {}) == TrainingEnd::finished);
    const Translator translator = Translator::load(model);
    const double one = bleu(translator, 1), five = bleu(translator, 5);
    scores += "seed " + std::to_string(seed) + ": greedy " + std::to_string(one) + ", beam of 5 " +
              std::to_string(five) + "; ";
    CHECK(five >= 75);
    greedy += one / seeds, beam += five / seeds;
  }
  INFO("BLEU of the 40 held-out sentences: " << scores);
  CHECK(beam >= greedy - 1);
}
