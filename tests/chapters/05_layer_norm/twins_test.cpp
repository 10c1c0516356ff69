#include "support/twins.hpp"
#include "chapters/05_layer_norm/add_norm_case.hpp"
#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "chapters/05_layer_norm/residual_stack_case.hpp"
#include "support/catch.hpp"
#include "wrong/add_norm.hpp"
#include "wrong/layer_norm.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A wrong norm of a row: as a leaf, inside Add & Norm, inside both stacks.
template <template <class> class Wrong>
Twin wrong_norm(const std::string& name) {
  using Dev = Wrong<Cpu<double>>;
  return {
      name,
      &Dev::calls,
      {twin_case<Dev>(name, LayerNormCase{5, 3}, "layer_norm_3"),
       twin_case<Dev>(name, LayerNormCase{5, 7}, "layer_norm_7"), twin_case<Dev>(name, AddNormCase{}, "add_norm"),
       twin_case<Dev>(name, ResidualStackCase{Norm::pre}, "residual_stack_pre"),
       twin_case<Dev>(name, ResidualStackCase{Norm::post}, "residual_stack_post")}};
}

/// A wrong residual, in Add & Norm; chapter 07 judges some of them inside a layer.
template <template <class> class Wrong>
Twin wrong_residual(const std::string& name) {
  using Dev = Wrong<Cpu<double>>;
  return {name, &Dev::calls, {twin_case<Dev>(name, AddNormCase{}, "add_norm")}};
}

}  // namespace

TEST_CASE("wrong twins of chapter 05 are rejected", "[wrong]") {
  using AfterNorm = wrong::ResidualAfterNorm<Cpu<double>>;
  using Constant = wrong::NoEpsilon<Cpu<double>>;
  using Altered = wrong::TinyEpsilon<Cpu<double>>;
  expect_rejected(
      "05_layer_norm",
      {wrong_norm<wrong::SampleDeviation>("sample-deviation"),
       wrong_norm<wrong::EpsilonOutsideRoot>("epsilon-outside-root"),
       wrong_norm<wrong::SampleVariance>("sample-variance"),
       wrong_norm<wrong::OneGain>("one-gain"),
       wrong_norm<wrong::DetachedVariance>("detached-variance"),
       wrong_norm<wrong::NoMeanTerm>("no-mean-term"),
       wrong_norm<wrong::FrozenGain>("frozen-gain"),
       wrong_norm<wrong::NormGradientOverwritten>("norm-gradient-overwritten"),
       wrong_norm<wrong::BatchNorm>("batch-norm"),
       {"no-epsilon",
        &Constant::calls,
        {twin_case<Constant>("no-epsilon", LayerNormCase{5, 7}, "layer_norm_7"),
         twin_case<Constant>("no-epsilon", LayerNormCase{6, 4}, "layer_norm_constant")}},
       {"tiny-epsilon",
        &Altered::calls,
        {shared_twin_case<wrong::TinyEpsilon>("tiny-epsilon", LayerNormCase{5, 7}, "layer_norm_7"),
         shared_twin_case<wrong::TinyEpsilon>("tiny-epsilon", LayerNormCase{5, 7}, "layer_norm_narrow"),
         shared_twin_case<wrong::TinyEpsilon>("tiny-epsilon", AddNormCase{}, "add_norm")}},
       wrong_residual<wrong::NoResidual>("no-residual"),
       wrong_residual<wrong::StreamGradientLost>("stream-gradient-lost"),
       wrong_residual<wrong::ResidualOtherMask>("residual-other-mask"),
       wrong_residual<wrong::StreamDropped>("stream-dropped"),
       {"residual-after-norm",
        &AfterNorm::calls,
        {twin_case<AfterNorm>("residual-after-norm", ResidualStackCase{Norm::pre}, "residual_stack_pre")}}});
}
