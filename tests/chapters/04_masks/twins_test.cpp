#include "support/twins.hpp"
#include "chapters/04_masks/dense_case.hpp"
#include "support/catch.hpp"
#include "wrong/masks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
using C = Cpu<double>;

template <class Wrong, class Case>
Twin twin(const std::string& name, const Case& c, const std::string& golden_file) {
  return {name, &Wrong::calls, {twin_case<Wrong>(name, c, golden_file)}};
}
/// A wrong softmax, alone and inside dense attention.
template <class Wrong>
Twin in_attention(const std::string& name) {
  Twin both = twin<Wrong>(name, MaskedSoftmaxCase{}, "masked_softmax");
  both.cases.push_back(twin_case<Wrong>(name, dense_aligned_case(), "dense_attention_aligned"));
  return both;
}
}  // namespace

TEST_CASE("wrong twins of chapter 04 are rejected", "[wrong]") {
  const DenseAttentionCase causal = dense_causal_case();
  expect_rejected("04_masks",
                  {in_attention<wrong::Filled<C, wrong::LargeNegative>>("filled-with-1e9"),
                   in_attention<wrong::Filled<C, wrong::LargeNegativeAdded>>("added-1e9"),
                   in_attention<wrong::Filled<C, wrong::MinusInfinity>>("minus-infinity"),
                   in_attention<wrong::MaskInverted<C>>("mask-inverted"),
                   in_attention<wrong::DenseOverQueries<C>>("softmax-over-queries"),
                   twin<wrong::PaddingOnQueries<C>>("padding-on-queries", causal, "dense_attention_causal"),
                   twin<wrong::OnePaddingId<C>>("one-padding-id", DenseAttentionCase{}, "dense_attention"),
                   twin<wrong::StartHidden<C>>("start-hidden", causal, "dense_attention_causal"),
                   twin<wrong::FutureSeen<C>>("future-seen", causal, "dense_attention_causal"),
                   twin<wrong::DropByPaddedRow<C>>("drop-by-padded-row", causal, "dense_attention_causal")});
}
