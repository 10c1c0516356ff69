#pragma once
/// \file
/// The plan of a training run, and its state. Both are plain values that a checkpoint stores.

#include <limits>
#include <optional>

#include "10_training/data/batches.hpp"
#include "10_training/optimiser/optimiser.hpp"
#include "10_training/optimiser/schedule.hpp"
#include "gradus/device/products.hpp"

namespace gradus {

/// All settings that decide the weights, except model and data. Not included: the device and the time that a run
/// may use.
struct TrainingPlan {
  BatchOptions batches;
  SentenceMarks marks;
  Schedule schedule;
  OptimiserOptions optimiser;
  double smoothing = 0.1;
  std::uint64_t seed = 1;
  std::size_t micro_batches = 8;     ///< M
  std::optional<Products> products;  ///< none: Dev::default_products. Validation and translation are always exact
  std::uint32_t epochs = 10;
  std::uint32_t valid_every = 0;   ///< steps between validations; 0: at the end of each epoch
  std::uint32_t patience = 0;      ///< validations without improvement until the run is finished; 0: never
  std::uint32_t average_last = 1;  ///< the weights of this many last validations are kept, for their mean
};

/// The state of a run.
struct TrainingState {
  std::uint32_t step = 0;        ///< steps taken
  std::uint32_t epoch = 1;       ///< the current one
  std::uint32_t next_batch = 0;  ///< in this epoch
  std::uint32_t validations = 0;
  std::uint32_t since_best = 0;  ///< validations since the best one
  std::uint32_t reductions = 0;  ///< of the plateau schedule, like the next two
  std::uint32_t not_better = 0;  ///< validations since plateau_best, or since the rate was reduced
  double plateau_best = -std::numeric_limits<double>::infinity();  ///< better ones exceed it by the threshold
  double best = -std::numeric_limits<double>::infinity();
  bool finished = false;  ///< all epochs are done, or the patience is used up

  bool operator==(const TrainingState& o) const {
    return step == o.step && epoch == o.epoch && next_batch == o.next_batch && validations == o.validations &&
           since_best == o.since_best && reductions == o.reductions && not_better == o.not_better &&
           plateau_best == o.plateau_best && best == o.best && finished == o.finished;
  }
};

/// The number of steps of all epochs together. It makes the batches of every epoch, so call it once.
std::uint32_t planned_steps(const TrainingPlan& plan, const PairsView& pairs);

/// The warm-up of the plan, or an eighth of the steps of all epochs if that is less. Makes the batches of few epochs only.
std::uint32_t warmup_that_fits(const TrainingPlan& plan, const PairsView& pairs);

/// Whether the run is finished because `patience` validations were no better than the best one.
bool is_patience_spent(const TrainingState& state, const TrainingPlan& plan);

/// Takes a validation's score, higher is better (minus the loss): updates patience and the plateau. Returns whether
/// it is the best so far.
bool note_score(TrainingState& state, const TrainingPlan& plan, double score);

}  // namespace gradus
