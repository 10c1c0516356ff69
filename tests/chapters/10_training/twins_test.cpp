#include "support/twins.hpp"
#include "chapters/10_training/model_case.hpp"
#include "chapters/10_training/optimiser_case.hpp"
#include "chapters/10_training/output_loss_case.hpp"
#include "chapters/10_training/training_case.hpp"
#include "support/catch.hpp"
#include "wrong/optimisers.hpp"
#include "wrong/training.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// One layer on each side: enough to show the mistake inside the model, and fast.
ModelCase small_case() {
  ModelCase c{{small_model(Norm::pre, Tying::all, 0)}};
  c.model.config.encoder_layers = c.model.config.decoder_layers = 1;
  c.model.config.ffn = 3;
  return c;
}

/// Ten steps, with clipping and decoupled decay.
TrainingCase ten_steps() {
  TrainingCase c;
  c.optimiser.adam.update.clip = 0.5;
  c.optimiser.adam.update.weight_decay = 0.1;
  return c;
}

/// A loss, alone and inside the model.
template <template <class> class Wrong>
Twin loss(const std::string& name) {
  using Dev = Wrong<Cpu<double>>;
  return {name,
          &Dev::calls,
          {twin_case<Dev>(name, OutputLossCase{}, "output_loss"),
           twin_case<Dev>(name, small_case(), "model_of_one_layer")}};
}
template <template <class> class Wrong>
Twin shared_loss(const std::string& name) {
  return {name,
          &Wrong<Cpu<double>>::calls,
          {shared_twin_case<Wrong>(name, OutputLossCase{}, "output_loss"),
           shared_twin_case<Wrong>(name, small_case(), "model_of_one_layer")}};
}
template <template <class> class Wrong, class Case>
Twin loss_in(const std::string& name, const Case& c, const std::string& golden_file) {
  using Dev = Wrong<Cpu<double>>;
  return {name, &Dev::calls, {twin_case<Dev>(name, c, golden_file)}};
}

template <template <class> class Wrong>
TwinCase update(const std::string& name, const OptimiserCase& c, const std::string& golden_file) {
  return {optimiser(c), runner<Wrong<Cpu<double>>>(name, c), golden_file};
}
/// Inside the trainer, M = 3.
template <template <class> class Wrong>
TwinCase steps(const std::string& name) {
  return {training(ten_steps()), runner<Wrong<Cpu<double>>>(name, ten_steps()), "training_pre"};
}
template <template <class> class Wrong>
Twin optimiser_twin(const std::string& name, const std::vector<TwinCase>& cases) {
  return {name, &Wrong<Cpu<double>>::calls, cases};
}

}  // namespace

TEST_CASE("wrong twins of chapter 10 are rejected", "[wrong]") {
  using namespace wrong;
  const OptimiserCase decoupled{40, Optimiser::adam, {0.5, 0.01, Decay::decoupled, 25}},
      coupled{40, Optimiser::adam, {0.5, 0.01, Decay::coupled, 40}},
      large_epsilon{40, Optimiser::adam, {0, 0, Decay::coupled, 0}, 0, 1e-2};
  expect_rejected(
      "10_training",
      {shared_loss<SmoothingOverOthers>("smoothing-over-others"), loss<SmoothingForgotten>("smoothing-forgotten"),
       loss_in<LossWithoutMaximum>("no-maximum-subtracted", OutputLossCase{}, "output_loss_large"),
       loss<PaddingCounted>("padding-counted"), loss<LossSummed>("loss-summed"),
       loss<LossOverPositions>("loss-over-positions"),
       loss_in<TableGradientOverwritten>("table-gradient-overwritten", OutputLossCase{}, "output_loss"),
       optimiser_twin<MeanPerMicroBatch>("mean-per-micro-batch",
                                         {steps<MeanPerMicroBatch>("mean-per-micro-batch")}),
       optimiser_twin<NoBiasCorrection>(
           "no-bias-correction", {update<NoBiasCorrection>("no-bias-correction", decoupled, "adam_decoupled"),
                                  steps<NoBiasCorrection>("no-bias-correction")}),
       optimiser_twin<EpsilonInsideRoot>(
           "epsilon-inside-root",
           {update<EpsilonInsideRoot>("epsilon-inside-root", large_epsilon, "adam_epsilon")}),
       optimiser_twin<DecaySwapped>(
           "decay-swapped",
           {update<DecaySwapped>("decay-swapped", decoupled, "adam_decoupled"),
            update<DecaySwapped>("decay-swapped", coupled, "adam_coupled"), steps<DecaySwapped>("decay-swapped")}),
       optimiser_twin<EverythingDecays>("everything-decays",
                                        {update<EverythingDecays>("everything-decays", decoupled, "adam_decoupled"),
                                         steps<EverythingDecays>("everything-decays")}),
       optimiser_twin<ClipPerRange>("clip-per-range", {steps<ClipPerRange>("clip-per-range")})});
}
