#include "gpu_check/train.hpp"

#include <chrono>
#include <ostream>

#include "10_training/plan.hpp"
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

/// The recipe of the bundled model: the rate rises for a thousand steps, a tenth of a short training, then falls.
TrainingPlan plan_for(const TrainOptions& options, const IdPairs& pairs) {
  TrainingPlan plan;
  plan.batches = {options.batch_tokens, 0, false};
  plan.optimiser.adam.update.clip = 1;
  plan.seed = options.seed;
  plan.epochs = options.epochs;
  const std::uint32_t steps = planned_steps(plan, pairs);
  plan.schedule = {ScheduleKind::linear, options.learning_rate, std::min(1000U, steps / 10 + 1), steps};
  return plan;
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
  const IdPairs pairs =
      without_too_long(corpus.parts.at("train"), std::min(model.config.max_length, options.batch_tokens), dropped);
  const TrainingPlan plan = plan_for(options, pairs);
  Workers one(1);
  Corpus<Dev> resident(dev, pairs, {});
  TrainingStep<Dev> training(model, resident, 1, plan.smoothing, plan.optimiser, one,
                             batch_room(pairs, plan.batches));

  const auto start = Clock::now();
  std::uint32_t step = 0;
  for (std::uint32_t epoch = 1; epoch <= plan.epochs; ++epoch) {
    double loss = 0;
    resident.set_batches(dev, make_batches(pairs, plan.batches, plan.seed, epoch));
    for (std::size_t k = 0; k < resident.batches().size(); ++k) {
      ++step;
      const StepResult r = training.run(k, {plan.seed, step, learning_rate(plan.schedule, step, 0)});
      if (r.failed_step != 0) fail("the gradient of step " + std::to_string(r.failed_step) + " is not finite");
      loss += r.loss;
    }
    log << "epoch " << epoch << "  step " << step << "  " << seconds_since(start) << " s  loss "
        << loss / static_cast<double>(resident.batches().size()) << std::endl;
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
