#include "10_training/run/plan.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

/// One step of PyTorch's ReduceLROnPlateau.
void note_plateau(TrainingState& state, const Schedule& s, double score) {
  if (s.kind != ScheduleKind::plateau || state.validations <= s.delay) return;
  const double best = state.plateau_best;
  if (score > (std::isfinite(best) ? best + s.threshold * std::abs(best) : best)) {
    state.plateau_best = score;
    state.not_better = 0;
    return;
  }
  if (++state.not_better <= s.patience) return;
  state.not_better = 0;
  const double rate = s.peak * std::pow(s.factor, state.reductions);
  if (rate - rate * s.factor > least_reduction) ++state.reductions;
}

}  // namespace

std::uint32_t planned_steps(const TrainingPlan& plan, const PairsView& pairs) {
  std::size_t steps = 0;
  for (std::uint32_t epoch = 1; epoch <= plan.epochs; ++epoch) {
    steps += make_batches(pairs, plan.batches, plan.seed, epoch).size();
  }
  return static_cast<std::uint32_t>(steps);
}

std::uint32_t warmup_that_fits(const TrainingPlan& plan, const PairsView& pairs) {
  constexpr std::size_t part = 8;
  const std::size_t enough = part * plan.schedule.warmup;
  std::size_t steps = 0;
  for (std::uint32_t epoch = 1; epoch <= plan.epochs && steps < enough; ++epoch) {
    steps += make_batches(pairs, plan.batches, plan.seed, epoch).size();
  }
  return static_cast<std::uint32_t>(std::min(steps, enough) / part);
}

bool is_patience_spent(const TrainingState& state, const TrainingPlan& plan) {
  return plan.patience != 0 && state.since_best >= plan.patience;
}

bool note_score(TrainingState& state, const TrainingPlan& plan, double score) {
  ++state.validations;
  note_plateau(state, plan.schedule, score);
  if (score > state.best) {
    state.best = score;
    state.since_best = 0;
    return true;
  }
  ++state.since_best;
  if (is_patience_spent(state, plan)) state.finished = true;
  return false;
}

}  // namespace gradus
