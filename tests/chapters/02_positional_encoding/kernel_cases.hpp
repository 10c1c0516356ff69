#pragma once
/// \file
/// The kernels of chapter 02: `f(case, options)` for each case that judges them.

#include "chapters/01_embedding/lookup_case.hpp"
#include "chapters/02_positional_encoding/embed_case.hpp"
#include "chapters/02_positional_encoding/position_case.hpp"
#include "chapters/02_positional_encoding/sinusoids_case.hpp"
#include "chapters/02_positional_encoding/sinusoids_in_halves_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

/// 40 short sentences: more than a warp checks at once.
inline Sentences many_sentences() {
  Sentences sentences{{}, 2};
  for (std::int32_t i = 0; i < 40; ++i) sentences.lengths.push_back(i % 3);
  return sentences;
}

inline EmbedCase embed_many(std::size_t Vocab, std::size_t D, const EmbedOptions& options) {
  const Sentences sentences = many_sentences();
  return {sentences, some_ids(sentences.table().rows, Vocab), {}, Vocab, D, options};
}

template <class F>
void each_position_kernel(F&& f) {
  f(SinusoidsCase{}, KernelOptions{{}, false, false});
  f(SinusoidsCase{33, 130}, KernelOptions{{}, false, false});
  f(SinusoidsInHalvesCase{}, KernelOptions{{}, false, false});
  f(SinusoidsInHalvesCase{HalvesSteps::less_one, 33, 130}, KernelOptions{{}, false, false});
  f(PositionCase{}, KernelOptions{});
  f(PositionCase{many_sentences(), {}, 3}, KernelOptions{{}, true});
  f(PositionCase{{{2}, 1}, {3}, 70}, KernelOptions{});
  f(EmbedCase{}, KernelOptions{});
  f(EmbedCase{{{3, 1}, 0}, {2, 1, 2, 4}, {}, 5, 3, {{1, -1}, {0, 1, Side::source}}}, KernelOptions{});
  f(embed_many(9, 130, {{2, 0}, {0.3, 1, Side::source}}), KernelOptions{{}, true});
}

}  // namespace gradus::test
