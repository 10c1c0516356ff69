#pragma once
/// \file
/// Chooses the weights of a run's model. As long as the run can continue, these are the weights after the last
/// step. At its end they are the mean of the last validations' weights or the best validation's, whichever has the
/// lower validation loss.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "10_training/trainer.hpp"
#include "11_translator/training/training_request.hpp"

namespace gradus {

struct FinalWeights {
  std::string text = "after the last step";  ///< which weights these are and why, for the metadata of the model
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< on the validation pairs, nats a token; NaN: unknown
  bool is_mean = false;
};

/// Chooses between the mean of the last `count` validations and the best validation alone, by their losses. Takes
/// the mean if its loss is lower, or if the best loss is not finite, which means that there is no best one.
FinalWeights better_weights(std::uint32_t count, double mean_loss, double best_loss);

/// The names of the weights in the folder that take_final_weights reads at the end of a run: "best", "recent-0" and so on, as far as a
/// run in this state has them.
std::vector<std::string> weights_for_the_end(const TrainingState& state, const TrainingRequest& request);

/// Puts the final weights of a run into `model` and returns their description; the weights of a run that can
/// continue stay. The folder is the run's: it has the files "best", "recent-0" and so on; of several ranks, rank 0 has it.
/// Computes at most one validation loss, and needs no more memory than a validation.
template <class Dev>
FinalWeights take_final_weights(Dev& dev, const Model<Dev>& model, const std::optional<RunFolder>& folder,
                                const TrainingState& state, const TrainingRequest& request, const IdPairs& valid,
                                Workers& workers, Ranks& ranks = alone()) {
  if (!state.finished || state.validations == 0) return {};
  const auto take = [&](const std::vector<std::string>& names) {
    std::vector<typename Dev::Real> weights;
    on_first(ranks, [&] { weights = folder->template average<typename Dev::Real>(names, model.layout); });
    broadcast_weights(ranks, dev, model.flat(), weights);
  };
  std::vector<std::string> recent = weights_for_the_end(state, request);
  const double best = -state.best;
  FinalWeights kept{"of the best validation", best, false};
  if (recent == std::vector<std::string>{"best"}) {
    take(recent);
    return kept;
  }
  if (recent.back() == "best") recent.pop_back();
  take(recent);
  kept = better_weights(static_cast<std::uint32_t>(recent.size()),
                        mean_loss(model, valid, request.plan.marks, workers, ranks), best);
  if (!kept.is_mean) take({"best"});
  return kept;
}

}  // namespace gradus
