#include "gpu_check/train.hpp"

#include <chrono>
#include <ostream>

#include "10_training/schedule.hpp"
#include "10_training/step.hpp"
#include "11_translator/search.hpp"

namespace gradus::test {
namespace {

using Dev = Cuda<float>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ModelConfig base_model(const IdCorpus& corpus, double dropout) {
  ModelConfig c;
  c.source_vocab = corpus.source_vocab, c.target_vocab = corpus.target_vocab;
  c.d_model = 128, c.heads = 4, c.ffn = 512;
  c.tying = corpus.source_vocab == corpus.target_vocab ? Tying::all : Tying::output;
  c.embedding_rate = c.activation_rate = c.residual_rate = dropout;
  c.attention_rate = dropout / 2;
  return c;
}

}  // namespace

void train_and_translate(const IdCorpus& corpus, const TrainOptions& options, std::ostream& log,
                         std::ostream& translations) {
  for (const char* part : {"train", "test"}) {
    if (corpus.parts.count(part) == 0) fail(std::string("the file of ids has no part [") + part + "]");
  }
  Dev dev;
  Model<Dev> model(dev, base_model(corpus, options.dropout));
  initialise(dev, model.flat(), model.layout, {Initialisation::xavier, 0.02, options.seed});
  std::size_t dropped = 0;
  const BatchOptions batches{options.batch_tokens, 0, false};
  const IdPairs pairs =
      without_too_long(corpus.parts.at("train"), std::min(model.config.max_length, options.batch_tokens), dropped);

  std::uint32_t all_steps = 0, step = 0;
  for (std::uint32_t epoch = 1; epoch <= options.epochs; ++epoch) {
    all_steps += static_cast<std::uint32_t>(make_batches(pairs, batches, options.seed, epoch).size());
  }
  const Schedule schedule{ScheduleKind::linear, options.learning_rate, std::min(1000U, all_steps / 10 + 1),
                          all_steps};
  Optimiser optimiser;
  optimiser.adam.update.clip = 1;
  Workers one(1);
  TrainingStep<Dev> training(model, 1, 0.1, optimiser, one, batch_room(pairs, batches));

  const auto start = Clock::now();
  for (std::uint32_t epoch = 1; epoch <= options.epochs; ++epoch) {
    double loss = 0;
    const BatchList list = make_batches(pairs, batches, options.seed, epoch);
    for (const auto& batch : list) {
      ++step;
      const StepResult r =
          training.run(batch, pairs, {}, {options.seed, step, learning_rate(schedule, step, 0), 0, 0, 0});
      if (r.failed_step != 0) fail("the gradient of step " + std::to_string(r.failed_step) + " is not finite");
      loss += r.loss;
    }
    log << "epoch " << epoch << "  step " << step << "  " << seconds_since(start) << " s  loss "
        << loss / static_cast<double>(list.size()) << std::endl;
  }

  const auto translating = Clock::now();
  std::vector<Sentence> sources = corpus.parts.at("test").source;
  for (Sentence& s : sources) s.push_back(SentenceMarks{}.source_eos);
  for (const NBest& best : translate_ids<Dev>(one, model.params, model.config, sources, {})) {
    const Sentence& words = best.front().words;
    for (std::size_t i = 0; i < words.size(); ++i) translations << (i == 0 ? "" : " ") << words[i];
    translations << "\n";
  }
  log << sources.size() << " sentences translated, beam 5, in " << seconds_since(translating) << " s" << std::endl;
}

}  // namespace gradus::test
