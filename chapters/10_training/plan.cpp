#include "10_training/plan.hpp"

namespace gradus {

std::uint32_t planned_steps(const TrainingPlan& plan, const IdPairs& pairs) {
  std::size_t steps = 0;
  for (std::uint32_t epoch = 1; epoch <= plan.epochs; ++epoch) {
    steps += make_batches(pairs, plan.batches, plan.seed, epoch).size();
  }
  return static_cast<std::uint32_t>(steps);
}

bool note_score(TrainingState& state, const TrainingPlan& plan, double score) {
  ++state.validations;
  const bool improved = score > state.best;
  if (improved) {
    state.best = score;
    state.since_best = 0;
    return true;
  }
  ++state.since_best;
  if (plan.schedule.kind == ScheduleKind::plateau && state.since_best % plan.schedule.patience == 0)
    ++state.reductions;
  if (plan.patience != 0 && state.since_best >= plan.patience) state.finished = true;
  return false;
}

}  // namespace gradus
