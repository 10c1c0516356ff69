#pragma once
/// \file
/// The input of the model: a batch of sentence pairs, as rows plus offsets.

#include <cstdint>
#include <vector>

#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"

namespace gradus {

/// The decoder reads <bos> w1 w2 ... and must output w1 w2 ... <eos>. Sizes: Ns source rows, Nt target rows.
template <class Space>
struct BasicBatch {
  View<const std::int32_t, 1, Space> source;         ///< (Ns) ids, each sentence with its <eos>
  BasicSegments<Space> sources;                      ///< the rows of each sentence
  View<const std::int32_t, 1, Space> decoder_input;  ///< (Nt)
  BasicSegments<Space> targets;
  View<const std::int32_t, 1, Space> target;  ///< (Nt), -1 in rows without a target; only the loss reads it
};
template <class Dev>
using Batch = BasicBatch<typename Dev::Space>;

/// Ids and offsets in the device's memory, taken from dev.kept. Between steps only, like `write`.
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
