#pragma once

#include "04_masks/masks.hpp"
#include "chapters/04_masks/masked_softmax_case.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::test {

using Rows = std::vector<std::int32_t>;

/// Both masks as a device computes them; causal or not.
template <class Dev>
Rows mask_of(const Rows& keys, std::int32_t padding, std::size_t B, std::size_t T, std::size_t S, bool causal) {
  Dev dev;
  const OutInts<Dev, 1> memory = dev.kept.ints(B * T * S), ids = dev.kept.ints(B * S);
  write(dev, memory, Rows(B * T * S, 7));
  write(dev, ids, keys);
  const OutInts<Dev, 3> mask = as_mask(memory, B, T, S);
  padding_mask(dev, mask, as_ids(Ints<Dev, 1>(ids), B, S), padding);
  if (causal) causal_mask(dev, mask, mask);
  Rows result;
  read(dev, result, Ints<Dev, 1>(memory));
  return result;
}

}  // namespace gradus::test
