// Trains a small model to copy its input: ids in, ids out, without text. Prints the loss of some steps, and at the end how many of 20
// sentences that it has never seen it copies.
#include <cstdio>
#include <exception>

#include "09_transformer/greedy.hpp"
#include "10_training/trainer.hpp"

using namespace gradus;
using Dev = Cpu<float>;

namespace {

constexpr std::int32_t words = 8,
                       first = Specials::count;  // ids 4 .. 11; smaller ones are <pad>, <unk>, <bos>, <eos>

/// Sentences of 3 to 6 words, each its own translation. `seed` makes others.
IdPairs sentences(std::size_t count, std::uint32_t seed) {
  IdPairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::int32_t> sentence;
    const auto draw = [&] { return static_cast<std::int32_t>((seed = seed * 1664525U + 1013904223U) >> 16); };
    for (std::int32_t n = 3 + draw() % 4; n > 0; --n) sentence.push_back(first + draw() % words);
    pairs.source.push_back(sentence), pairs.target.push_back(sentence);
  }
  return pairs;
}

}  // namespace

int main() try {
  ModelConfig config;
  config.source_vocab = config.target_vocab = first + words;
  config.d_model = 32, config.heads = 2, config.ffn = 64, config.encoder_layers = config.decoder_layers = 1;
  config.max_length = 16, config.tying = Tying::all;
  Dev dev;
  Model<Dev> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});

  TrainingPlan plan;
  plan.batches.tokens = 256, plan.epochs = 24, plan.smoothing = 0;
  plan.schedule = {ScheduleKind::linear, 1e-2, 40};
  plan.optimiser.adam.update.clip = 1;
  const IdPairs text = sentences(1000, 1), unseen = sentences(20, 2);
  Workers workers(2);
  Trainer<Dev> trainer(model, text, plan, workers);
  TrainingControl control;
  control.on_step = [](const StepReport& r) {
    if (r.step % 100 == 0) std::printf("step %u: loss %.3f\n", r.step, r.loss);
  };
  control.validate = [&] { return -mean_loss(model, unseen, plan.marks, workers); };
  if (trainer.run(control) != Outcome::finished) return 1;

  int copied = 0;
  for (const auto& sentence : unseen.source) {
    std::vector<std::int32_t> source = sentence;
    source.push_back(Specials{}.eos);
    copied += greedy_decode(dev, {source}, model.params, config).front() == sentence;
  }
  std::printf("%d of 20 unseen sentences are copied\n", copied);
  return copied >= 18 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
