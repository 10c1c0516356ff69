#pragma once
/// \file
/// Wrong lookups.

#include "01_embedding/lookup.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// A lookup with other options than the given ones, in forward and backward.
template <class Twin, class Base>
void forward_with(Twin& dev, Out<Base, 2> y, Ints<Base, 1> ids, In<Base, 2> table, const LookupOptions& options) {
  ++dev.calls;
  gradus::lookup_forward(static_cast<Base&>(dev), y, ids, table, options);
}
template <class Twin, class Base>
void backward_with(Twin& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                   const LookupOptions& options) {
  ++dev.calls;
  gradus::lookup_backward(static_cast<Base&>(dev), dtable, dy, ids, options);
}

/// Forgets to multiply by sqrt(D).
/// twin: scale-forgotten 01_embedding tutorial golden parity dual-numbers -finite-differences
/// twin: scale-forgotten 02_positional_encoding tutorial golden parity dual-numbers -finite-differences
/// twin: scale-forgotten 09_transformer tutorial golden parity dual-numbers
template <class Base>
struct ScaleForgotten : Base {
  static inline int calls = 0;
};
template <class Base>
void lookup_forward(ScaleForgotten<Base>& dev, Out<Base, 2> y, Ints<Base, 1> ids, In<Base, 2> table,
                    const LookupOptions& options) {
  forward_with<ScaleForgotten<Base>, Base>(dev, y, ids, table, {1, options.padding});
}
template <class Base>
void lookup_backward(ScaleForgotten<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                     const LookupOptions& options) {
  backward_with<ScaleForgotten<Base>, Base>(dev, dtable, dy, ids, {1, options.padding});
}

/// Multiplies by D instead of sqrt(D).
/// twin: scale-squared 01_embedding tutorial golden -finite-differences -dual-numbers -parity
template <class Base>
struct ScaleSquared : Base {
  static inline int calls = 0;
};
template <class Base>
void lookup_forward(ScaleSquared<Base>& dev, Out<Base, 2> y, Ints<Base, 1> ids, In<Base, 2> table,
                    const LookupOptions& options) {
  forward_with<ScaleSquared<Base>, Base>(dev, y, ids, table, {options.scale * options.scale, options.padding});
}
template <class Base>
void lookup_backward(ScaleSquared<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                     const LookupOptions& options) {
  backward_with<ScaleSquared<Base>, Base>(dev, dtable, dy, ids, {options.scale * options.scale, options.padding});
}

/// Uses one padding id for every language: works only if they agree.
/// twin: one-padding-for-all 01_embedding tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct OnePaddingForAll : Base {
  static inline int calls = 0;
};
template <class Base>
void lookup_forward(OnePaddingForAll<Base>& dev, Out<Base, 2> y, Ints<Base, 1> ids, In<Base, 2> table,
                    const LookupOptions& options) {
  forward_with<OnePaddingForAll<Base>, Base>(dev, y, ids, table, {options.scale, 1});
}
template <class Base>
void lookup_backward(OnePaddingForAll<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                     const LookupOptions& options) {
  backward_with<OnePaddingForAll<Base>, Base>(dev, dtable, dy, ids, {options.scale, 1});
}

/// Takes the padding id for a word, in both directions.
/// twin: padding-is-a-word 01_embedding own golden parity dual-numbers -finite-differences
template <class Base>
struct PaddingIsAWord : Base {
  static inline int calls = 0;
};
template <class Base>
void lookup_forward(PaddingIsAWord<Base>& dev, Out<Base, 2> y, Ints<Base, 1> ids, In<Base, 2> table,
                    const LookupOptions& options) {
  forward_with<PaddingIsAWord<Base>, Base>(dev, y, ids, table, {options.scale, -1});
}
template <class Base>
void lookup_backward(PaddingIsAWord<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                     const LookupOptions& options) {
  backward_with<PaddingIsAWord<Base>, Base>(dev, dtable, dy, ids, {options.scale, -1});
}

/// Updates the padding row, although forward never reads it.
/// twin: padding-learns 01_embedding own finite-differences dual-numbers golden parity
/// twin: padding-learns 02_positional_encoding own finite-differences dual-numbers golden parity
template <class Base>
struct PaddingLearns : Base {
  static inline int calls = 0;
};
template <class Base>
void lookup_backward(PaddingLearns<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                     const LookupOptions& options) {
  backward_with<PaddingLearns<Base>, Base>(dev, dtable, dy, ids, {options.scale, -1});
}

/// Writes each row's gradient where it should add it: for a word that occurs twice only the last place counts.
/// twin: repeated-ids-overwritten 01_embedding own finite-differences dual-numbers golden parity
/// twin: repeated-ids-overwritten 02_positional_encoding own finite-differences dual-numbers golden parity
template <class Base>
struct RepeatedIdsOverwritten : Base {
  static inline int calls = 0;
};
template <class Base>
void lookup_backward(RepeatedIdsOverwritten<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                     const LookupOptions& options) {
  for (std::size_t n = 0; n < ids.extent[0]; ++n) {
    if (ids[n] == options.padding) continue;
    fill(dev, rows(dtable, static_cast<std::size_t>(ids[n]), 1), 0);
    backward_with<RepeatedIdsOverwritten<Base>, Base>(dev, dtable, rows(dy, n, 1), {ids.data + n, {1}, 1}, options);
  }
}

}  // namespace gradus::wrong
