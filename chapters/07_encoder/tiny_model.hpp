#pragma once
/// \file
/// For the demos of chapters 07 to 09: the tiny model's weights in a flat store, found by their names.

#include "00_foundations/tiny.hpp"
#include "07_encoder/stack.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/params/store.hpp"

namespace gradus::tiny {

/// One layer, pre-norm, no dropout.
inline StackOptions stack() {
  StackOptions o;
  o.layers = 1, o.d_model = D, o.heads = H, o.ffn = F;
  return o;
}

inline void load(Device& dev, Out<Device, 1> flat, const Layout& layout) {
  for (const Slice& s : layout.slices()) {
    const In<Device, 1> learnt = vector(s.name);
    check_shape(s.name.c_str(), learnt, {s.size()});
    copy(dev, as_matrix(slice(flat, s.offset, s.size()), 1, s.size()), as_matrix(learnt, 1, s.size()));
  }
}

/// The ids of one sentence, and the sentence as rows.
inline Ints<Device, 1> view(const std::vector<std::int32_t>& ids) { return {ids.data(), {ids.size()}, ids.size()}; }
inline SegmentTable one_sentence(const std::vector<std::int32_t>& ids) {
  return SegmentTable::packed({static_cast<std::int32_t>(ids.size())});
}

/// The attention weights of one head, (queries, keys).
inline In<Device, 2> head(In<Device, 2> weights, std::size_t h) {
  return {weights.data + h * weights.stride, {weights.extent[0] / H, weights.extent[1]}, H * weights.stride};
}

}  // namespace gradus::tiny
