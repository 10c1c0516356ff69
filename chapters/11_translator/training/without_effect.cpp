#include "11_translator/training/without_effect.hpp"

#include <cstdio>
#include <limits>

#include "10_training/data/batches.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
namespace {

std::string text_of(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", rate);
  return text;
}

/// "--warmup 1000"
std::string choice(const char* option, std::uint32_t value) {
  return "--" + std::string(option) + " " + std::to_string(value);
}

/// The run that a line is about.
struct Run {
  const TrainingRequest& request;
  std::uint32_t steps, validations;

  std::string has_steps() const { return "the run has " + plural(steps, "step"); }
  std::string has_validations() const { return "the run has " + plural(validations, "validation"); }
};

/// Each returns its line, or "".
std::string of_warmup(const Run& run) {
  const Schedule& s = run.request.plan.schedule;
  if (s.warmup < run.steps || run.steps == 0) return "";
  return choice("warmup", s.warmup) + ": " + run.has_steps() + ", so its learning rate only rises, to " +
         text_of(learning_rate(s, run.steps)) + " of " + text_of(s.peak) + "; give a shorter warm-up";
}

/// A schedule with an end is 0 in its last step; more such steps are worth a line.
std::string of_end(const Run& run) {
  const Schedule& s = run.request.plan.schedule;
  const std::uint32_t end = s.decay_steps == 0 ? run.steps : s.decay_steps;
  if (!has_an_end(s.kind) || end <= s.warmup || end > run.steps || run.steps == 0) return "";
  if (run.steps == 1)
    return "the run has 1 step, and there the rate of --schedule " + std::string(name_of(s.kind)) +
           " is 0: it learns nothing";
  if (end == run.steps) return "";
  return choice("decay-steps", end) + ": " + run.has_steps() + ", and the last " +
         std::to_string(run.steps - end + 1) + " have the rate 0 and learn nothing";
}

std::string of_decay(const Run& run) {
  const Schedule& s = run.request.plan.schedule;
  if (!has_an_end(s.kind) || s.decay_steps == 0) return "";
  const std::string name = choice("decay-steps", s.decay_steps);
  if (s.decay_steps <= s.warmup)
    return name + ": the rate falls after the warm-up of " + plural(s.warmup, "step") + ", so it never falls";
  if (s.decay_steps <= run.steps) return "";
  return name + ": " + run.has_steps() + ", so its learning rate falls only to " +
         text_of(learning_rate(s, run.steps)) + " of " + text_of(s.peak);
}

std::string of_validation(const Run& run) {
  const TrainingRequest& r = run.request;
  if (run.validations != 0) return "";
  return choice("valid-every", r.plan.valid_every) + ": " + run.has_steps() +
         ", so it never validates; the model has the weights after the last one" +
         (r.keep_best ? ", and --keep-best has no effect" : "");
}

/// Checkpoints are also written at each validation. 500 is nobody's choice.
std::string of_saving(const Run& run) {
  const std::uint32_t every = run.request.save_every;
  const bool is_usual = every == TrainingRequest{}.save_every;
  if (every <= run.steps || (is_usual && run.validations != 0)) return "";
  return choice("save-every", every) + ": " + run.has_steps() + ", so it is saved " +
         (run.validations == 0 ? "at its end only" : "when it validates and at its end only");
}

std::string of_patience(const Run& run) {
  const std::uint32_t patience = run.request.plan.patience;
  if (patience == 0 || run.validations > patience) return "";
  return choice("patience", patience) + ": " + run.has_validations() + ", so it cannot end early";
}

std::string of_mean(const Run& run) {
  const TrainingRequest& r = run.request;
  if (!r.average_is_given || r.keep_best || run.validations >= r.plan.average_last || r.plan.average_last < 2)
    return "";
  const std::string what = run.validations < 2 ? "there is no mean" : "the mean is of these";
  return choice("average-last", r.plan.average_last) + ": " + run.has_validations() + ", so " + what;
}

std::string of_plateau(const Run& run) {
  const Schedule& s = run.request.plan.schedule;
  if (s.kind != ScheduleKind::plateau) return "";
  const std::string name = choice("plateau-patience", s.patience);
  if (run.validations <= std::uint64_t{s.delay} + s.patience)
    return name + (s.delay == 0 ? "" : " after " + choice("plateau-delay", s.delay)) + ": " +
           run.has_validations() + ", so the rate is never reduced";
  // a rate that is reduced at the last validation trains nothing
  const std::uint32_t patience = run.request.plan.patience;
  if (patience == 0 || run.validations <= patience || patience > std::uint64_t{s.patience} + 1) return "";
  const std::string exception = s.threshold > 0 ? ", unless the loss falls by less than --plateau-threshold" : "";
  return name + ": with " + choice("patience", patience) + " the run ends before the rate is reduced" + exception +
         "; give a --patience of at least " + std::to_string(std::uint64_t{s.patience} + 2);
}

}  // namespace

std::uint32_t planned_validations(const TrainingPlan& plan, std::uint32_t steps) {
  return plan.valid_every == 0 ? plan.epochs : steps / plan.valid_every;
}

std::vector<std::string> without_effect(const TrainingRequest& request, std::uint32_t steps) {
  const Run run{request, steps, planned_validations(request.plan, steps)};
  std::vector<std::string> lines;
  for (const auto of : {of_warmup, of_decay, of_end, of_validation, of_saving, of_patience, of_mean, of_plateau}) {
    std::string line = of(run);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::string hint_at_few_steps(const TrainingRequest& r, const PairsView& pairs, std::size_t vocabulary) {
  constexpr std::uint32_t enough_steps = 500;
  constexpr std::size_t few_pairs = 10000, small_batch = 256, small_vocabulary = 1000;
  const BatchOptions& batches = r.plan.batches;
  if (!r.init_from.empty()) return "";  // that model can translate already
  if (pairs.size() > few_pairs || batches.sentences != 0 || batches.tokens < 4 * small_batch) return "";
  const std::uint32_t steps = planned_steps(r.plan, pairs);
  if (steps >= enough_steps) return "";
  TrainingPlan other = r.plan;
  other.batches.tokens = small_batch;
  const bool has_large_vocabulary =
      r.tokenizer.kind == TokenizerKind::sentencepiece && vocabulary > 2 * small_vocabulary;
  const std::string subwords = " --vocab-size " + std::to_string(small_vocabulary);
  return "this text makes only " + plural(steps, "step") +
         ", and the model will hardly learn to translate; try --batch-tokens " + std::to_string(small_batch) +
         ", which makes at least " + std::to_string(planned_steps(other, pairs)) +
         (has_large_vocabulary ? ", and" + subwords + ", so that each subword occurs more often" : "");
}

std::string effect_of_stop(const TrainingRequest& r, std::uint32_t steps, std::uint32_t made) {
  if (r.max_steps == 0 || r.max_steps >= steps) return "";
  if (r.max_steps <= made)
    return choice("max-steps", r.max_steps) + ": the run has made " + plural(made, "step") +
           " already, and makes no more";
  const bool warms_up = r.max_steps < r.plan.schedule.warmup && r.plan.schedule.warmup < steps;
  const bool never_validates =
      r.plan.valid_every != 0 && r.plan.valid_every > r.max_steps && r.plan.valid_every <= steps;
  if (!warms_up && !never_validates) return "";
  const std::string warmup = "within its warm-up of " + plural(r.plan.schedule.warmup, "step");
  const std::string validation = "before its first validation, after step " + std::to_string(r.plan.valid_every);
  return choice("max-steps", r.max_steps) + ": the run stops " + (warms_up ? warmup : "") +
         (warms_up && never_validates ? " and " : "") + (never_validates ? validation : "");
}

}  // namespace gradus
