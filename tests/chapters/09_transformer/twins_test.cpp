#include "support/twins.hpp"
#include "chapters/09_transformer/log_probs_top_k_case.hpp"
#include "chapters/09_transformer/transformer_case.hpp"
#include "support/catch.hpp"
#include "wrong/cross_attention.hpp"
#include "wrong/decoder.hpp"
#include "wrong/embedding.hpp"
#include "wrong/encoder.hpp"
#include "wrong/foundations.hpp"
#include "wrong/layer_norm.hpp"
#include "wrong/transformer.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
/// The twin as a whole model with all tables tied.
template <template <class> class Wrong>
Twin in_model(const std::string& name, Norm norm = Norm::pre) {
  const TransformerCase model{small_model(norm, Tying::all)};
  return {name,
          &Wrong<Cpu<double>>::calls,
          {twin_case<Wrong<Cpu<double>>>(name, model, "transformer_" + placement(norm))}};
}
template <template <class> class Wrong>
Twin in_choice(const std::string& name) {
  return {name,
          &Wrong<Cpu<double>>::calls,
          {twin_case<Wrong<Cpu<double>>>(name, LogProbsTopKCase{}, "log_probs_top_k")}};
}
}  // namespace

TEST_CASE("wrong twins of chapter 09 are rejected", "[wrong]") {
  expect_rejected(
      "09_transformer",
      {in_model<wrong::TiedGradientOverwritten>("tied-gradient-overwritten"),
       in_model<wrong::EncoderSkipped>("encoder-skipped"),
       in_choice<wrong::SoftmaxOverPositions>("softmax-over-positions"),
       in_choice<wrong::NoMaximumSubtracted>("no-maximum-subtracted"),
       in_model<wrong::LayersShared>("layers-shared", Norm::post),
       in_model<wrong::CrossModuleUnused>("cross-module-unused"), in_model<wrong::CausalCross>("causal-cross"),
       in_model<wrong::MaskOnQueries>("mask-on-queries"),
       in_model<wrong::MemoryGradientOverwritten>("memory-gradient-overwritten"),
       in_model<wrong::DecoderSeesFuture>("future-seen", Norm::post),
       in_model<wrong::ScaleForgotten>("scale-forgotten"), in_model<wrong::NoEpsilon>("no-epsilon", Norm::post),
       in_model<wrong::ForgottenAccumulate>("forgotten-accumulate"),
       in_model<wrong::TransposedWeightGradient>("transposed-weight-gradient")});
}
