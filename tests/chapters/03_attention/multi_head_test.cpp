#include "chapters/03_attention/key_bias_case.hpp"
#include "chapters/03_attention/multi_head_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
template <class Case>
void judge_devices(const Case& c) {
  const Component judged = component(c);
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}
const AttentionOptions three_heads{3, true, {0.1, 18, Side::source}};
}  // namespace

TEST_CASE("multi-head attention: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(SelfAttentionCase{})));
  expect(gradients(component(SelfAttentionCase{{2, 3}, 6, three_heads, false, 0})));
  expect(gradients(component(CrossAttentionCase{})));
  expect(gradients(component(CrossAttentionCase{{2, 3}, {4, 1}, 6, {1, false, {}}, false, 0})));
}

TEST_CASE("multi-head attention: the gradient of a key bias is zero by theorem", "[gradients]") {
  expect(gradients(component(KeyBiasCase{})));
}

TEST_CASE("multi-head attention: every device agrees with the reference and keeps the contract") {
  judge_devices(SelfAttentionCase{});
  judge_devices(SelfAttentionCase{{1}, 1, {1, false, {}}, true, 0});
  judge_devices(SelfAttentionCase{{33, 2}, 12, three_heads, false, 0});
  judge_devices(CrossAttentionCase{});
  judge_devices(CrossAttentionCase{{5, 33}, {33, 4}, 12, {3, false, {0.1, 20, Side::target}}, false, 0});
}

TEST_CASE("multi-head attention: golden values") {
  expect(golden(component(SelfAttentionCase{}), "self_attention"));
  expect(golden(component(CrossAttentionCase{}), "cross_attention"));
}
