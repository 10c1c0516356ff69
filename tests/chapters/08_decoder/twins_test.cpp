#include "support/twins.hpp"
#include "chapters/08_decoder/decoder_case.hpp"
#include "support/catch.hpp"
#include "wrong/attention.hpp"
#include "wrong/cross_attention.hpp"
#include "wrong/decoder.hpp"
#include "wrong/encoder.hpp"
#include "wrong/foundations.hpp"
#include "wrong/layer_norm.hpp"
#include "wrong/ssru.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Base>
using CausalOffByOne = wrong::Ruled<Base, wrong::CausalOffByOne>;

/// The twin in a stack of two layers.
template <template <class> class Wrong>
Twin in_stack(const std::string& name, Norm norm = Norm::pre, DecoderUnit unit = DecoderUnit::attention) {
  const DecoderCase stack{small_decoder(norm, 2, 0.3, unit)};
  using Dev = Wrong<Cpu<double>>;
  return {name, &Dev::calls, {twin_case<Dev>(name, stack, "decoder_" + form_of(norm, unit))}};
}

template <class Base>
using StateNotReset = wrong::RuledSsru<Base, wrong::StateNotReset>;
template <class Base>
using ThroughTimeForgotten = wrong::RuledSsru<Base, wrong::ThroughTimeForgotten>;

}  // namespace

TEST_CASE("wrong twins of chapter 08 are rejected", "[wrong]") {
  expect_rejected("08_decoder",
                  {in_stack<wrong::CrossModuleUnused>("cross-module-unused", Norm::post),
                   in_stack<wrong::CausalCross>("causal-cross"), in_stack<wrong::CrossIsSelf>("cross-is-self"),
                   in_stack<CausalOffByOne>("causal-off-by-one"), in_stack<wrong::MaskOnQueries>("mask-on-queries"),
                   in_stack<wrong::NoEpsilon>("no-epsilon"),
                   in_stack<wrong::MemoryGradientOverwritten>("memory-gradient-overwritten"),
                   in_stack<wrong::DecoderSeesFuture>("future-seen", Norm::post),
                   in_stack<wrong::CrossWithoutResidual>("cross-without-residual"),
                   in_stack<StateNotReset>("state-not-reset", Norm::pre, DecoderUnit::ssru),
                   in_stack<ThroughTimeForgotten>("through-time-forgotten", Norm::post, DecoderUnit::ssru),
                   in_stack<wrong::ForgottenAccumulate>("forgotten-accumulate"),
                   in_stack<wrong::TransposedWeightGradient>("transposed-weight-gradient")});
}
