#include "10_training/plan.hpp"

namespace gradus {

std::uint32_t planned_steps(const TrainingPlan& plan, const IdPairs& pairs) {
  std::size_t steps = 0;
  for (std::uint32_t epoch = 1; epoch <= plan.epochs; ++epoch) {
    steps += make_batches(pairs, plan.batches, plan.seed, epoch).size();
  }
  return static_cast<std::uint32_t>(steps);
}

bool is_patience_spent(const TrainingState& state, const TrainingPlan& plan) {
  return plan.patience != 0 && state.since_best >= plan.patience;
}

bool note_score(TrainingState& state, const TrainingPlan& plan, double score) {
  ++state.validations;
  if (score > state.best) {
    state.best = score;
    state.since_best = 0;
    return true;
  }
  ++state.since_best;
  const std::uint32_t patience = plan.schedule.kind == ScheduleKind::plateau ? plan.schedule.patience : 0;
  if (patience != 0 && state.since_best % patience == 0) ++state.reductions;
  if (is_patience_spent(state, plan)) state.finished = true;
  return false;
}

}  // namespace gradus
