#include "support/twins.hpp"
#include "chapters/07_encoder/encoder_case.hpp"
#include "support/catch.hpp"
#include "wrong/add_norm.hpp"
#include "wrong/attention.hpp"
#include "wrong/encoder.hpp"
#include "wrong/feed_forward.hpp"
#include "wrong/foundations.hpp"
#include "wrong/layer_norm.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Base>
using ClampedSoftmax = wrong::Ruled<Base, wrong::ClampedSoftmax>;

/// The twin in a stack of two layers.
template <template <class> class Wrong>
Twin in_stack(const std::string& name, Norm norm = Norm::pre) {
  const EncoderCase stack{small_stack(norm, 2)};
  return {
      name, &Wrong<Cpu<double>>::calls, {twin_case<Wrong<Cpu<double>>>(name, stack, "encoder_" + placement(norm))}};
}
/// A wrong leaf, in a layer of each placement.
template <template <class> class Wrong>
Twin in_layers(const std::string& name) {
  Twin twin{name, &Wrong<Cpu<double>>::calls, {}};
  for (const Norm norm : {Norm::pre, Norm::post}) {
    twin.cases.push_back(twin_case<Wrong<Cpu<double>>>(name, EncoderLayerCase{small_stack(norm, 2)},
                                                       "encoder_layer_" + placement(norm)));
  }
  return twin;
}

}  // namespace

TEST_CASE("wrong twins of chapter 07 are rejected", "[wrong]") {
  expect_rejected("07_encoder", {in_stack<wrong::LayersShared>("layers-shared"),
                                 in_stack<wrong::OutputOfWrongLayer>("output-of-wrong-layer"),
                                 in_stack<wrong::FinalNormMissing>("final-norm-missing"),
                                 in_stack<wrong::OtherPlacement>("other-placement"),
                                 in_stack<wrong::StreamAfterNorm>("stream-after-norm"),
                                 in_stack<wrong::SitesShared>("dropout-sites-shared"),
                                 in_stack<wrong::ForkForgotten>("fork-forgotten", Norm::post),
                                 in_layers<wrong::NoEpsilon>("no-epsilon"),
                                 in_layers<wrong::SampleDeviation>("sample-deviation"),
                                 in_layers<wrong::OneGain>("one-gain"),
                                 in_layers<wrong::DetachedVariance>("detached-variance"),
                                 in_layers<wrong::FrozenGain>("frozen-gain"),
                                 in_layers<wrong::NoResidual>("no-residual"),
                                 in_stack<wrong::StreamGradientLost>("stream-gradient-lost"),
                                 in_layers<wrong::MaskOnQueries>("mask-on-queries"),
                                 in_layers<ClampedSoftmax>("clamped-softmax"),
                                 in_layers<wrong::SoftmaxOverQueries>("softmax-over-queries"),
                                 in_layers<wrong::NoScale>("no-scale"),
                                 in_layers<wrong::NoActivation>("no-activation"),
                                 in_layers<wrong::ActivationAfterOuter>("activation-after-outer"),
                                 in_layers<wrong::RateNotHandedOn>("rate-not-handed-on"),
                                 in_layers<wrong::InnerMaskForgotten>("inner-mask-forgotten"),
                                 in_layers<wrong::ForgottenAccumulate>("forgotten-accumulate"),
                                 in_layers<wrong::TransposedWeightGradient>("transposed-weight-gradient")});
}
