#pragma once
/// \file
/// The kernels of chapter 03: `f(case, options)` for each case that judges them.

#include "chapters/03_attention/attend_case.hpp"
#include "chapters/03_attention/attention_case.hpp"
#include "chapters/03_attention/key_bias_case.hpp"
#include "chapters/03_attention/multi_head_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

/// Heads of two columns. Backward keeps 2 T S + 2 S numbers for a head: 48 KiB are enough for 54 tokens in double and
/// 77 in float, 227 KiB, which a kernel has to ask for, for 120 and 169. Longer sentences use the workspace.
inline AttentionCase boundary_case(std::int32_t tokens) {
  return {{tokens}, {tokens}, 2, {1, true, {0.2, 20, Side::source}}, 1};
}
/// Forward keeps a row of keys for each of its eight warps, and the transposed keys: with heads of three columns 558
/// keys in double and 1117 in float take 48 KiB, 2641 and 5282 take 227 KiB.
inline AttentionCase many_keys_case(std::int32_t keys) {
  return {{3}, {keys}, 3, {1, false, {0.2, 20, Side::source}}, 0};
}
/// Many sentences of very different lengths.
inline AttentionCase turns_case() {
  AttentionCase c{{}, {}, 1, {2, false, {0.2, 20, Side::target}}, 3};
  c.query_lengths.assign(70, 1);
  c.query_lengths[1] = 40, c.query_lengths[66] = 57, c.query_lengths[68] = 0;
  c.key_lengths.assign(c.query_lengths.rbegin(), c.query_lengths.rend());
  return c;
}
/// More heads of sentences than blocks that share the workspace, which is needed because one sentence is so long: the blocks of
/// sentence 0 continue with sentence 64. All others fit into 48 KiB.
inline AttentionCase backward_turns_case() {
  AttentionCase c{{}, {}, 1, {2, true, {0.2, 20, Side::target}}, 3};
  c.query_lengths.assign(66, 1);
  c.query_lengths[0] = 81, c.query_lengths[64] = 79, c.query_lengths[30] = 171, c.query_lengths[31] = 9;
  c.key_lengths = c.query_lengths;
  return c;
}
/// The same in forward.
inline AttentionCase forward_turns_case() {
  AttentionCase c{{}, {}, 3, {2, false, {0.2, 20, Side::target}}, 0};
  c.query_lengths.assign(65, 1), c.key_lengths.assign(65, 1);
  c.query_lengths[0] = 3, c.key_lengths[0] = 1200;
  c.query_lengths[64] = 2, c.key_lengths[64] = 1301;
  c.key_lengths[30] = 5283;
  return c;
}

/// A warp alone computes sentences of at most 32 tokens a side, in double 16, if heads have 16 or 32 columns and there are
/// at most so many rows for each sentence. It takes two queries at a time if there are at most 16 keys.
inline AttentionCase short_case(std::size_t Dk, bool causal) {
  return {{3, 32, 1, 0, 2, 5, 1}, {1, 15, 16, 17, 31, 32, 0}, Dk, {2, causal, {0.2, 20, Side::source}}, 0};
}
/// Longer ones among them have blocks.
inline AttentionCase mixed_case(std::size_t Dk) {
  return {{1, 33, 2, 7, 0, 1, 17, 3}, {33, 3, 65, 9, 8, 1, 2, 7}, Dk, {2, true, {0.2, 20, Side::source}}, 0};
}
/// Heads of 16 columns: this sentence needs more shared memory than a GPU has, in double.
inline AttentionCase mixed_with_workspace_case() {
  AttentionCase c{{118, 1, 2, 40, 8}, {118, 3, 1, 33, 14}, 16, {1, true, {0.2, 20, Side::source}}, 0};
  c.query_lengths.resize(12, 1), c.key_lengths.resize(12, 1);
  return c;
}
/// More heads than blocks for long sentences: the blocks of sentence 0 continue with sentence 64.
inline AttentionCase mixed_turns_case() {
  AttentionCase c{{}, {}, 16, {4, false, {0.2, 20, Side::target}}, 0};
  c.query_lengths.assign(66, 1);
  c.query_lengths[0] = 33, c.query_lengths[64] = 34;
  c.key_lengths = c.query_lengths;
  return c;
}

template <class F>
void each_attention_leaf(F&& f) {
  const Dropout drop{0.2, 20, Side::source};
  const KernelOptions leaf{}, large{{}, true}, without_dual{{}, true, false};
  KernelOptions alone{{}, true, false};
  alone.is_composite = true;
  each_attend_case([&](const AttendCase& c) { f(c, alone); });  // on a GPU it is attention
  f(AttentionCase{}, leaf);
  f(causal_case(), leaf);
  f(aligned_case(), leaf);
  f(AttentionCase{{1}, {1}, 1, {1, false, drop}, 0}, leaf);
  f(AttentionCase{{33, 2}, {33, 2}, 5, {3, true, drop}, 1}, large);
  f(AttentionCase{{1, 1}, {7, 40}, 33, {4, false, drop}, 0}, large);
  f(AttentionCase{{40, 7}, {17, 9}, 32, {2, true, drop}, 0}, large);
  for (const std::int32_t tokens : {54, 55}) f(boundary_case(tokens), KernelOptions{{}, true, true, false});
  for (const std::int32_t tokens : {77, 78}) f(boundary_case(tokens), without_dual);
  for (const std::int32_t tokens : {120, 121}) f(boundary_case(tokens), KernelOptions{{}, true, false, false});
  for (const std::int32_t tokens : {169, 170}) f(boundary_case(tokens), without_dual);
  for (const std::int32_t keys : {558, 559, 2641, 2642})
    f(many_keys_case(keys), KernelOptions{{}, true, false, false});
  for (const std::int32_t keys : {1117, 1118, 5282, 5283}) f(many_keys_case(keys), without_dual);
  f(turns_case(), large);
  f(AttentionCase{{3, 1, 4}, {2, 5, 1}, 16, {1, false, drop}, 2}, large);
  for (const std::size_t Dk : {16, 32}) {
    f(short_case(Dk, Dk == 16), without_dual);
    f(mixed_case(Dk), without_dual);
  }
  f(AttentionCase{{3, 2}, {2, 17}, 64, {1, false, drop}, 0}, without_dual);
  f(mixed_turns_case(), KernelOptions{{}, true, false, false});
  f(mixed_with_workspace_case(), KernelOptions{{}, true, false, false});
  f(AttentionCase{{513}, {513}, 2, {1, true, drop}, 0}, without_dual);
  f(AttentionCase{{}, {}, 3, {2, true, {}}, 3}, leaf);
}

/// The cases with workspaces of more than 50 MB. The host layer is slow after them, because it guards all memory that
/// was ever used, so they come after all others.
template <class F>
void each_large_attention(F&& f) {
  const KernelOptions without_dual{{}, true, false};
  f(backward_turns_case(), without_dual);
  f(forward_turns_case(), without_dual);
}

template <class F>
void each_attention_kernel(F&& f) {
  const KernelOptions composite{{}, true};
  const AttentionOptions three_heads{3, true, {0.1, 18, Side::source}};
  f(SelfAttentionCase{}, composite);
  f(SelfAttentionCase{{33, 2}, 12, three_heads, false, 0}, composite);
  f(KeyBiasCase{}, composite);
  f(CrossAttentionCase{}, composite);
  f(CrossAttentionCase{{5, 33}, {33, 4}, 12, {3, false, {0.1, 20, Side::target}}, false, 0}, composite);
  each_attention_leaf(f);  // the largest come last, because the cases after a large one use its memory
}

}  // namespace gradus::test
