#include "support/twins.hpp"
#include "chapters/03_attention/attention_case.hpp"
#include "chapters/03_attention/multi_head_case.hpp"
#include "support/catch.hpp"
#include "support/expect.hpp"
#include "wrong/attention.hpp"
#include "wrong/attention_gradients.hpp"
#include "wrong/cross_attention.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Wrong, class Case>
Twin twin(const std::string& name, const Case& c, const std::string& golden_file) {
  return {name, &Wrong::calls, {twin_case<Wrong>(name, c, golden_file)}};
}
template <class Rules, class Case>
Twin ruled(const std::string& name, const Case& c, const std::string& golden_file) {
  return twin<wrong::Ruled<Cpu<double>, Rules>>(name, c, golden_file);
}
/// The same inside multi-head attention, whose self-attention is causal.
template <class Rules>
Twin ruled_self(const std::string& name) {
  Twin both = ruled<Rules>(name, causal_case(), "attention_causal");
  both.cases.push_back(twin_case<wrong::Ruled<Cpu<double>, Rules>>(name, SelfAttentionCase{}, "self_attention"));
  return both;
}
/// Wrong on every device in the same way.
template <template <class> class Wrong>
Twin shared(const std::string& name) {
  return {name,
          &Wrong<Cpu<double>>::calls,
          {shared_twin_case<Wrong>(name, AttentionCase{}, "attention"),
           shared_twin_case<Wrong>(name, CrossAttentionCase{}, "cross_attention")}};
}

}  // namespace

TEST_CASE("the loops of the wrong attentions are right without the wrong rule") {
  using Right = wrong::Ruled<Cpu<double>, wrong::RightRules>;
  for (const AttentionCase& c : {AttentionCase{}, causal_case(), aligned_case()}) {
    const Component judged = component(c);
    expect(parity(judged, runner<Right>("the twins' loops", c)));
    expect(dual_numbers(judged, runner<Right>("the twins' loops", c)));
  }
  CHECK(Right::calls > 0);
}

TEST_CASE("wrong twins of chapter 03 are rejected", "[wrong]") {
  using C = Cpu<double>;
  AttentionCase large = large_logits_case();
  large.scale = 1;  // random scores are small: only the golden file has large ones
  CrossAttentionCase equal_lengths;
  equal_lengths.key_lengths = equal_lengths.query_lengths;
  expect_rejected(
      "03_attention",
      {ruled<wrong::NoMaximum>("no-maximum", large, "attention_large_logits"),
       ruled<wrong::ClampedSoftmax>("clamped-softmax", AttentionCase{}, "attention"),
       ruled_self<wrong::CausalOffByOne>("causal-off-by-one"),
       ruled<wrong::CausalFromTheStart>("causal-from-the-start", aligned_case(), "attention_aligned"),
       ruled<wrong::UniformWhenNothingVisible>("uniform-when-nothing-visible", aligned_case(), "attention_aligned"),
       ruled<wrong::DropByKeyRow>("drop-by-key-row", AttentionCase{}, "attention"),
       twin<wrong::SoftmaxOverQueries<C>>("softmax-over-queries", AttentionCase{}, "attention"),
       shared<wrong::NoScale>("no-scale"), shared<wrong::ScaledByModelWidth>("scaled-by-model-width"),
       twin<wrong::SeveredGradient<C>>("severed-gradient", AttentionCase{}, "attention"),
       twin<wrong::CausalCross<C>>("causal-cross", CrossAttentionCase{}, "cross_attention"),
       twin<wrong::CrossIsSelf<C>>("cross-is-self", equal_lengths, "")});
}
