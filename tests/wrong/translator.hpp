#pragma once
/// \file
/// Mistakes of decoding: in the past, and in the scores.

#include <algorithm>
#include <vector>

#include "09_transformer/log_probs_top_k.hpp"
#include "11_translator/search/past.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// Adds raw logits instead of log probabilities: the ranking of one step is right, that of a sentence is wrong.
/// twin: raw-logits 11_translator tutorial parity
template <class Base>
struct RawLogits : Base {
  static inline int calls = 0;
};
template <class Base>
void log_probs_top_k(RawLogits<Base>& dev, Out<Base, 2> scores, OutInts<Base, 2> ids, In<Base, 2> logits) {
  ++dev.calls;
  gradus::log_probs_top_k(static_cast<Base&>(dev), scores, ids, logits);
  for (std::size_t n = 0; n < scores.extent[0]; ++n) {
    for (std::size_t k = 0; k < scores.extent[1]; ++k) scores.row(n)[k] = logits.row(n)[ids.row(n)[k]];
  }
}

/// Beams change places, but their keys and values do not: each continues with another beam's past.
/// twin: past-not-selected 11_translator own parity
template <class Base>
struct PastNotSelected : Base {
  static inline int calls = 0;
};
template <class Base>
void past_select(PastNotSelected<Base>& dev, Out<Base, 2>, In<Base, 2>, Ints<Base, 1>, Ints<Base, 1>) {
  ++dev.calls;
}

/// Every beam's newest word goes into its neighbour's past.
/// twin: neighbours-past 11_translator own parity
template <class Base>
struct NeighboursPast : Base {
  static inline int calls = 0;
};
template <class Base>
void past_append(NeighboursPast<Base>& dev, Out<Base, 2> past, In<Base, 2> x, Ints<Base, 1> at) {
  ++dev.calls;
  std::vector<std::int32_t> turned(at.data, at.data + at.extent[0]);
  const auto end = std::find(turned.begin(), turned.end(), -1);
  if (end != turned.begin()) std::rotate(turned.begin(), turned.begin() + 1, end);
  gradus::past_append(static_cast<Base&>(dev), past, x, {turned.data(), at.extent, at.stride});
}

/// A finished beam continues to write, into the first row of the past: the others see its <eos>.
/// twin: finished-beam-writes 11_translator elsewhere parity
template <class Base>
struct FinishedBeamWrites : Base {
  static inline int calls = 0;
};
template <class Base>
void past_append(FinishedBeamWrites<Base>& dev, Out<Base, 2> past, In<Base, 2> x, Ints<Base, 1> at) {
  ++dev.calls;
  std::vector<std::int32_t> rows(at.data, at.data + at.extent[0]);
  std::replace(rows.begin(), rows.end(), -1, 0);
  gradus::past_append(static_cast<Base&>(dev), past, x, {rows.data(), at.extent, at.stride});
}

/// The past has one row: attention reads only the newest word.
/// twin: forgetful-past 11_translator own parity
template <class Base>
struct ForgetfulPast : Base {
  static inline int calls = 0;
};
template <class Base>
void past_append(ForgetfulPast<Base>& dev, Out<Base, 2> past, In<Base, 2> x, Ints<Base, 1> at) {
  ++dev.calls;
  gradus::fill(dev, past, 0);
  gradus::past_append(static_cast<Base&>(dev), past, x, at);
}

}  // namespace gradus::wrong
