#include "measure/gpu_check/train.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <ostream>

#include "10_training/run/plan.hpp"
#include "10_training/step/step.hpp"
#include "measure/gpu_check/models.hpp"

namespace gradus::test {
namespace {

using Dev = Cuda<float>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The learning rate of the bundled model: it rises for a thousand steps, or a tenth of a short training, then
/// falls.
TrainingPlan plan_for(const TrainOptions& options, const IdPairs& pairs) {
  TrainingPlan plan;
  plan.batches = {options.batch_tokens, 0};
  plan.optimiser.adam.update.clip = 1;
  plan.seed = options.seed;
  plan.epochs = options.epochs;
  plan.average_last = options.average_last;
  const std::uint32_t steps = planned_steps(plan, pairs);
  plan.schedule = {ScheduleKind::linear, options.learning_rate, std::min(1000U, steps / 10 + 1), steps};
  return plan;
}

/// A sum of weights, and the number of its terms.
class Mean {
 public:
  void add(const std::vector<float>& weights) {
    sum_.resize(weights.size());
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += static_cast<double>(weights[i]);
    ++count_;
  }
  std::vector<float> value() const {
    std::vector<float> mean;
    for (const double sum : sum_) mean.push_back(static_cast<float>(sum / count_));
    return mean;
  }

 private:
  std::vector<double> sum_;
  int count_ = 0;
};

double sum_of(const std::vector<float>& weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

/// One epoch; returns the mean of its batches' losses. `step` counts on. Steps are started ahead, as in the trainer
/// of chapter 10.
double train_epoch(Dev& dev, TrainingStep<Dev>& training, Corpus<Dev>& corpus, const TrainingPlan& plan,
                   std::uint32_t epoch, std::uint32_t& step) {
  corpus.set_batches(dev, make_batches(corpus.pairs(), plan.batches, plan.seed, epoch));
  const std::size_t batches = corpus.batches().size();
  double loss = 0;
  for (std::size_t k = 0; k < batches;) {
    const std::size_t end = std::min(batches, k + Dev::steps_ahead), together = end - k;
    for (; k < end; ++k) {
      ++step;
      training.start(k, {plan.seed, step, learning_rate(plan.schedule, step, 0)});
    }
    for (const StepResult& r : training.results(together)) {
      if (r.failed_step != 0) fail("the gradient of step " + std::to_string(r.failed_step) + " is not finite");
      loss += r.loss;
    }
  }
  return loss / static_cast<double>(batches);
}

void translate(const Model<Dev>& model, std::vector<Sentence> sources, const SearchOptions& options,
               std::ostream& translations) {
  for (Sentence& s : sources) s.push_back(SentenceMarks{}.source_eos);
  Workers one(1);
  for (const NBest& best : translate_ids<Dev>(one, model.params, model.config, sources, options)) {
    const Sentence& words = best.front().words;
    for (std::size_t i = 0; i < words.size(); ++i) translations << (i == 0 ? "" : " ") << words[i];
    translations << "\n";
  }
}

}  // namespace

double TrainTimes::training() const { return std::accumulate(epochs.begin(), epochs.end(), 0.0); }

void train_and_translate(const IdCorpus& corpus, const TrainOptions& options, std::ostream& log,
                         std::ostream& translations, const std::function<void(const TrainTimes&)>& keep) {
  for (const char* part : {"train", "test"}) {
    if (corpus.parts.count(part) == 0) fail(std::string("the file of ids has no part [") + part + "]");
  }
  Dev dev;
  Model<Dev> model(dev, base_model(corpus.source_vocab, corpus.target_vocab, options.dropout, options.is_tiny));
  initialise(dev, model.flat(), model.layout, {Initialisation::xavier, 0.02, options.seed});
  std::size_t dropped = 0;
  const IdPairs pairs =
      without_too_long(corpus.parts.at("train"), std::min(model.config.max_length, options.batch_tokens), dropped);
  const TrainingPlan plan = plan_for(options, pairs);
  Workers one(1);
  Corpus<Dev> resident(dev, pairs, plan.marks);
  TrainingStep<Dev> training(model, resident, 1, plan.smoothing, plan.optimiser, one,
                             batch_capacity(pairs, plan.batches));
  training.slot(0).dev.products = options.products;

  TrainTimes times;
  Mean mean;
  std::uint32_t step = 0;
  for (std::uint32_t epoch = 1; epoch <= plan.epochs; ++epoch) {
    fail_if_asked(options.parts, "epoch " + std::to_string(epoch));
    const auto start = Clock::now();
    times.last_loss = train_epoch(dev, training, resident, plan, epoch, step);
    times.epochs.push_back(seconds_since(start));
    log << "epoch " << epoch << "  step " << step << "  " << times.epochs.back() << " s  loss " << times.last_loss
        << std::endl;
    std::vector<float> weights;
    read(dev, weights, In<Dev, 1>(model.flat()));
    times.sums.push_back(sum_of(weights));
    if (epoch + plan.average_last > plan.epochs) mean.add(weights);
    keep(times);
  }
  log << "trained in " << times.training() << " s" << std::endl;

  write(dev, model.flat(), mean.value());
  times.translating_sum = sum_of(mean.value());
  const std::vector<Sentence>& sources = corpus.parts.at("test").source;
  fail_if_asked(options.parts, "translation");
  const auto start = Clock::now();
  translate(model, sources, options.search, translations);
  times.translating = seconds_since(start);
  times.sentences = sources.size();
  log << times.sentences << " sentences translated, beam " << options.search.beam_size << ", in "
      << times.translating << " s" << std::endl;
  keep(times);
}

}  // namespace gradus::test
