#pragma once
/// \file
/// The training loop written a second time, as simply as possible: the trainer must give the same bits.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "09_transformer/initialise.hpp"
#include "10_training/trainer.hpp"

namespace gradus::test {

/// A Cpu that runs four steps ahead, like a GPU, which runs more: the trainer starts them together.
template <class Base>
struct RunsAhead : Base {
  static constexpr std::size_t steps_ahead = 4;
};

/// 26 pairs. The lengths differ between pairs and between sides, and so do the vocabularies: 13 and 11 words.
inline IdPairs uneven_corpus() {
  IdPairs pairs;
  for (std::int32_t i = 0; i < 26; ++i) {
    pairs.source.emplace_back(), pairs.target.emplace_back();
    for (std::int32_t n = 0; n < 1 + (5 * i) % 7; ++n) pairs.source.back().push_back(4 + (3 * i + 5 * n) % 9);
    for (std::int32_t n = 0; n < 1 + (3 * i) % 5; ++n) pairs.target.back().push_back(4 + (2 * i + 3 * n) % 7);
  }
  return pairs;
}

/// Encoder and decoder of different depth; every kind of dropout has a different rate.
inline ModelConfig uneven_model() {
  ModelConfig c;
  c.source_vocab = 13, c.target_vocab = 11;
  c.d_model = 6, c.heads = 2, c.ffn = 5;
  c.encoder_layers = 1, c.decoder_layers = 2;
  c.max_length = 16;
  c.embedding_rate = 0.05, c.attention_rate = 0.1, c.activation_rate = 0.15, c.residual_rate = 0.2;
  return c;
}

/// The result of a validation: the state after it, and the weights that it judged.
template <class Real>
struct ToldValidation {
  TrainingState state;
  double score = 0;
  bool is_best = false;
  std::vector<Real> weights;
};

/// All observable results of a training.
template <class Dev>
struct Told {
  using Real = typename Dev::Real;

  Outcome outcome = Outcome::failed;
  TrainingState state;
  std::vector<StepReport> steps;
  std::vector<ToldValidation<Real>> validations;
  std::vector<std::uint32_t> saves;  ///< the step of the run at each checkpoint
  std::vector<Real> weights, m, v;
  bool resumed = false;
  std::string metadata;  ///< of the checkpoint that was resumed
};

template <class Dev>
std::vector<typename Dev::Real> values_of(Dev& dev, Out<Dev, 1> flat) {
  std::vector<typename Dev::Real> values;
  read(dev, values, In<Dev, 1>(flat));
  return values;
}

/// The schedules by their documentation, each step counted from 1. `all`: the steps of the whole training. The
/// order of the operations is the trainer's, so that the bits are equal.
inline double rate_of(const Schedule& s, std::uint32_t step, std::uint32_t reductions, std::uint32_t all) {
  const double t = step, warmup = s.warmup, end = s.decay_steps != 0 ? s.decay_steps : all;
  if (t < warmup) return s.peak * t / warmup;
  const double fallen = std::min(1.0, (t - warmup) / (end - warmup));
  if (s.kind == ScheduleKind::inverse_sqrt) return s.peak * std::sqrt(std::max(1.0, warmup) / t);
  if (s.kind == ScheduleKind::linear) return s.peak * (1 - fallen);
  if (s.kind == ScheduleKind::cosine) return s.peak * 0.5 * (1 + std::cos(std::acos(-1.0) * fallen));
  if (s.kind == ScheduleKind::plateau) return s.peak * std::pow(s.factor, reductions);
  if (s.kind == ScheduleKind::constant) return s.peak;
  fail("replay.hpp has no formula for the schedule " + std::string(name_of(s.kind)));
}

/// A training without Trainer: batches of (seed, epoch), then one TrainingStep after the other. `score(i)` is the
/// result of validation i, counted from 0.
template <class Dev>
class Replay {
 public:
  Replay(const ModelConfig& config, const IdPairs& pairs, const TrainingPlan& plan, std::uint32_t save_every,
         std::function<double(std::size_t)> score)
      : pairs_(pairs), plan_(plan), save_every_(save_every), score_(std::move(score)), model_(dev_, config) {
    initialise(dev_, model_.flat(), model_.layout, {});
  }

  Told<Dev> run() {
    Workers one(1);
    Corpus<Dev> corpus(dev_, pairs_, plan_.marks);
    TrainingStep<Dev> step(model_, corpus, plan_.micro_batches, plan_.smoothing, plan_.optimiser, one);
    std::uint32_t all = 0;
    for (std::uint32_t e = 1; e <= plan_.epochs; ++e)
      all += static_cast<std::uint32_t>(make_batches(pairs_, plan_.batches, plan_.seed, e).size());
    TrainingState& s = told_.state;
    while (s.epoch <= plan_.epochs && !s.finished) {
      const BatchList batches = make_batches(pairs_, plan_.batches, plan_.seed, s.epoch);
      corpus.set_batches(dev_, batches);
      for (std::size_t k = 0; k < batches.size() && !s.finished; ++k) {
        const double rate = rate_of(plan_.schedule, s.step + 1, s.reductions, all);
        const StepResult result = step.run(k, {plan_.seed, s.step + 1, rate});
        ++s.step;
        report(batches, k, rate, result);
        const bool epoch_ends = k + 1 == batches.size();
        s.next_batch = static_cast<std::uint32_t>(k + 1);
        after_step(epoch_ends);  // still in this epoch
        if (epoch_ends) ++s.epoch, s.next_batch = 0;
      }
    }
    s.finished = true;
    told_.outcome = Outcome::finished;
    told_.saves.push_back(s.step);
    told_.weights = values_of(dev_, model_.flat());
    told_.m = values_of(dev_, step.first_moment());
    told_.v = values_of(dev_, step.second_moment());
    return told_;
  }

 private:
  void report(const BatchList& batches, std::size_t k, double rate, const StepResult& result) {
    StepReport r;
    r.step = told_.state.step, r.epoch = told_.state.epoch;
    r.batch = static_cast<std::uint32_t>(k + 1), r.batches = static_cast<std::uint32_t>(batches.size());
    for (const std::uint32_t i : batches[k]) {
      r.source_tokens += pairs_.source[i].size() + 1;
      r.target_tokens += pairs_.target[i].size() + 1;
    }
    r.loss = result.loss, r.gradient_norm = result.gradient_norm, r.learning_rate = rate;
    told_.steps.push_back(r);
  }

  void after_step(bool epoch_ends) {
    const std::uint32_t step = told_.state.step;
    if (plan_.valid_every == 0 ? epoch_ends : step % plan_.valid_every == 0) {
      validate();
      told_.saves.push_back(step);
    } else if (save_every_ != 0 && step % save_every_ == 0) {
      told_.saves.push_back(step);
    }
  }

  void validate() {
    TrainingState& s = told_.state;
    const double score = score_(s.validations);
    const bool is_best = score > s.best;
    ++s.validations;
    s.since_best = is_best ? 0 : s.since_best + 1;
    if (is_best) s.best = score;
    plateau(-score);
    s.finished = plan_.patience != 0 && s.since_best >= plan_.patience;
    told_.validations.push_back({s, score, is_best, values_of(dev_, model_.flat())});
  }

  /// The rule of the plateau by PyTorch's documentation. `loss` is positive.
  void plateau(double loss) {
    const Schedule& rule = plan_.schedule;
    TrainingState& s = told_.state;
    if (rule.kind != ScheduleKind::plateau || s.validations <= rule.delay) return;
    const bool is_better = loss < -s.plateau_best * (1 - rule.threshold);
    if (is_better) s.plateau_best = -loss;
    s.not_better = is_better ? 0 : s.not_better + 1;
    if (s.not_better <= rule.patience) return;
    s.not_better = 0;
    ++s.reductions;
  }

  const IdPairs& pairs_;
  TrainingPlan plan_;
  std::uint32_t save_every_;
  std::function<double(std::size_t)> score_;
  Dev dev_;
  Model<Dev> model_;
  Told<Dev> told_;
};

/// The same by Trainer, which continues from the folder's checkpoint if there is one. Its metadata records each
/// checkpoint.
template <class Dev>
Told<Dev> told_by_trainer(const ModelConfig& config, const IdPairs& pairs, const TrainingPlan& plan,
                          TrainingControl control, const std::function<double(std::size_t)>& score,
                          const std::optional<RunFolder>& folder) {
  Dev dev;
  Model<Dev> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(2);
  Trainer<Dev> trainer(model, pairs, plan, workers, folder, "replay");
  Told<Dev> told;
  told.resumed = trainer.resume();
  told.metadata = trainer.metadata();
  trainer.set_metadata([&] {
    return told.saves.push_back(trainer.state().step), "after step " + std::to_string(told.saves.back());
  });
  std::vector<typename Dev::Real> judged;
  control.on_step = [&](const StepReport& r) { told.steps.push_back(r); };
  control.validate = [&] {
    judged = values_of(dev, model.flat());
    return score(trainer.state().validations);
  };
  control.on_validation = [&](const TrainingState& state, double given, bool is_best) {
    told.validations.push_back({state, given, is_best, judged});
  };
  told.outcome = trainer.run(control);
  told.state = trainer.state();
  told.weights = values_of(dev, model.flat());
  told.m = values_of(dev, trainer.step().first_moment());
  told.v = values_of(dev, trainer.step().second_moment());
  return told;
}

}  // namespace gradus::test
