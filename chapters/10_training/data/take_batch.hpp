#pragma once
/// \file
/// Takes a batch out of a corpus in the device's memory: the version of `pack` on the device.

#include <algorithm>

#include "10_training/data/pairs.hpp"
#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

template <class Dev>
using Sentences = BasicSentences<typename Dev::Space>;

template <class Space, class F>
void each_view(const BasicSentences<Space>& s, F&& f) {
  f(s.ids), f(s.begin);
}

/// One side of a batch. Sizes: N rows, B sentences.
template <class Space>
struct BasicBatchSide {
  View<std::int32_t, 1, Space> ids;            ///< (N)
  View<std::int32_t, 1, Space> next;           ///< (N) the token after each, or absent
  View<std::int32_t, 1, Space> begin, length;  ///< (B) as in Segments
};
template <class Dev>
using BatchSide = BasicBatchSide<typename Dev::Space>;

template <class Space, class F>
void each_view(const BasicBatchSide<Space>& side, F&& f) {
  f(side.ids), f(side.next), f(side.begin), f(side.length);
}

/// The checks on every device: shapes, and numbers of pairs. Only code that can read the ids can check whether
/// their rows fit: the loop below checks; a kernel relies on the prepared room.
template <class Dev>
void check_batch(const StepState& state, const BatchSide<Dev>& batch, const Sentences<Dev>& corpus,
                 Ints<Dev, 1> order) {
  check_optional("take_sentences: next", batch.next, batch.ids.extent);
  check_shape("take_sentences: length", batch.length, batch.begin.extent);
  check_shape("take_sentences: begin of the corpus", corpus.begin, {order.extent[0] + 1});
  if (state.pairs > batch.begin.extent[0]) fail("take_sentences: the batch has no room for all its pairs");
  if (std::size_t{state.first_pair} + state.pairs > order.extent[0]) fail("take_sentences: the order ends before");
}

/// \defgroup take_sentences take_sentences
/// computes  the rows of the sentences order[first_pair] .. order[first_pair + pairs - 1], packed from row 0 in this
///           order; both numbers come from the device's step state. A sentence's rows are its tokens. With `next`,
///           they are its tokens without the last, and next holds its tokens without the first: teacher forcing.
/// requires  N and B large enough for them; order (sentences of the corpus), numbers of sentences.
/// ensures   all of `batch` is overwritten. Spare rows hold id 0 and next -1, spare sentences are empty.
/// @{
template <class R, class Dev = HostDevice<R>>
void take_sentences(HostDevice<R>& dev, const BatchSide<Dev>& batch, const Sentences<Dev>& corpus,
                    Ints<Dev, 1> order) {
  check_batch<Dev>(dev.state, batch, corpus, order);
  std::fill_n(batch.begin.data, batch.begin.extent[0], 0);
  std::fill_n(batch.length.data, batch.length.extent[0], 0);
  std::int32_t rows = 0;
  for (std::size_t b = 0; b < dev.state.pairs; ++b) {
    const auto sentence = static_cast<std::size_t>(order[dev.state.first_pair + b]);
    const std::int32_t* const tokens = corpus.ids.data + corpus.begin[sentence];
    batch.begin[b] = rows;
    batch.length[b] = corpus.begin[sentence + 1] - corpus.begin[sentence] - (batch.next ? 1 : 0);
    if (static_cast<std::size_t>(rows + batch.length[b]) > batch.ids.extent[0])
      fail("take_sentences: the batch has no room for all its rows");
    std::copy_n(tokens, batch.length[b], batch.ids.data + rows);
    if (batch.next) std::copy_n(tokens + 1, batch.length[b], batch.next.data + rows);
    rows += batch.length[b];
  }
  std::fill(batch.ids.data + rows, batch.ids.data + batch.ids.extent[0], 0);
  if (batch.next) std::fill(batch.next.data + rows, batch.next.data + batch.next.extent[0], -1);
}
template <class Real, class Dev = Cuda<Real>>
void take_sentences(Cuda<Real>& dev, const BatchSide<Dev>& batch, const Sentences<Dev>& corpus, Ints<Dev, 1> order);
/// @}

}  // namespace gradus
