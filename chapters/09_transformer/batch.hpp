#pragma once
/// \file
/// What the model reads: a batch of sentence pairs, as rows plus offsets.

#include <cstdint>
#include <vector>

#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"

namespace gradus {

/// The decoder reads <bos> w1 w2 ... and is to say w1 w2 ... <eos>. Sizes: Ns source rows, Nt target rows.
template <class Space>
struct BasicBatch {
  View<const std::int32_t, 1, Space> source;         ///< (Ns) ids, each sentence with its <eos>
  BasicSegments<Space> sources;                      ///< which rows are which sentence
  View<const std::int32_t, 1, Space> decoder_input;  ///< (Nt)
  BasicSegments<Space> targets;
  View<const std::int32_t, 1, Space> target;  ///< (Nt), -1 where there is nothing to say; read by the loss alone
};
template <class Dev>
using Batch = BasicBatch<typename Dev::Space>;

/// Ids and offsets in the device's memory, taken from dev.kept. Between steps only, as `write` is.
template <class Dev>
Ints<Dev, 1> on_device(Dev& dev, const std::vector<std::int32_t>& ids) {
  const OutInts<Dev, 1> copy = dev.kept.ints(ids.size());
  write(dev, copy, ids);
  return copy;
}
template <class Dev>
Segments<Dev> on_device(Dev& dev, const SegmentTable& table) {
  return {on_device(dev, table.begin), on_device(dev, table.length), table.rows, table.longest};
}

}  // namespace gradus
