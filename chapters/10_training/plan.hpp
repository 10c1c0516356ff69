#pragma once
/// \file
/// The recipe of a training run, and where the run stands. Both are plain values that a checkpoint stores.

#include <limits>

#include "10_training/batches.hpp"
#include "10_training/schedule.hpp"
#include "10_training/step.hpp"
#include "gradus/device/products.hpp"

namespace gradus {

/// Everything that decides the weights, beside model and data. How long and on what a run computes is not here.
struct TrainingPlan {
  BatchOptions batches;
  SentenceMarks marks;
  Schedule schedule;
  OptimiserOptions optimiser;
  double smoothing = 0.1;
  std::uint64_t seed = 1;
  std::size_t micro_batches = 8;        ///< M
  Products products = Products::exact;  ///< of training; validation and translation are always exact
  std::uint32_t epochs = 10;
  std::uint32_t valid_every = 0;   ///< steps between validations; 0: at the end of each epoch
  std::uint32_t patience = 0;      ///< validations without improvement after which the run is finished; 0: never
  std::uint32_t average_last = 1;  ///< the weights of so many last validations are kept, to be averaged
};

/// Where a run stands.
struct TrainingState {
  std::uint32_t step = 0;        ///< steps taken
  std::uint32_t epoch = 1;       ///< the current one
  std::uint32_t next_batch = 0;  ///< in this epoch
  std::uint32_t validations = 0;
  std::uint32_t since_best = 0;  ///< validations since the best one
  std::uint32_t reductions = 0;  ///< of the plateau schedule
  double best = -std::numeric_limits<double>::infinity();
  bool finished = false;  ///< its epochs or its patience are spent

  bool operator==(const TrainingState& o) const {
    return step == o.step && epoch == o.epoch && next_batch == o.next_batch && validations == o.validations &&
           since_best == o.since_best && reductions == o.reductions && best == o.best && finished == o.finished;
  }
};

/// The steps that all epochs together will take. Makes the batches of every epoch, so ask once.
std::uint32_t planned_steps(const TrainingPlan& plan, const IdPairs& pairs);

/// Whether so many validations were no better than the best one that the run is finished.
bool is_patience_spent(const TrainingState& state, const TrainingPlan& plan);

/// A score of a validation, higher is better: counts patience and the plateau. Returns whether it is the best yet.
bool note_score(TrainingState& state, const TrainingPlan& plan, double score);

}  // namespace gradus
