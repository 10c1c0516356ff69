#pragma once
/// \file
/// The weights of the tiny model in a flat vector, found by name, for the demos of chapters 07 to 11.

#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "02_positional_encoding/embed.hpp"
#include "02_positional_encoding/sinusoids.hpp"
#include "07_encoder/stack.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/params/flat_vector.hpp"

namespace gradus::tiny {

/// One layer, pre-norm, no dropout.
inline StackOptions stack() {
  StackOptions o;
  o.layers = 1, o.d_model = D, o.heads = H, o.ffn = F;
  return o;
}

/// Loads the learnt values of a layout's parameters. Error for a name or a size that the tiny model does not have.
template <class Dev>
void load(Dev& dev, Out<Dev, 1> flat, const Layout& layout) {
  for (const Slice& s : layout.slices()) {
    const In<Device, 1> learnt = vector(s.name);
    check_shape(s.name.c_str(), learnt, {s.size()});
    write(dev, slice(flat, s.offset, s.size()), {learnt.data, learnt.data + s.size()});
  }
}

/// One half of the model with its learnt weights. Its constructor gets a function that calls encoder_params or
/// decoder_params with a binder.
template <class Params>
struct Half {
  Layout layout;
  FlatVector<Device> values;
  Params params;

  template <class F>
  Half(Device& dev, F&& half_params) : layout(declared(half_params)), values(layout) {
    load(dev, values.flat(), layout);
    Binder<Device> bind(layout, values.flat());
    params = half_params(bind);
  }

 private:
  template <class F>
  static Layout declared(F&& half_params) {
    Layout layout;
    Binder<Device> declare(layout);
    half_params(declare);
    layout.finish();
    return layout;
  }
};

/// The ids of one sentence, and the sentence as rows.
inline Ints<Device, 1> view(const std::vector<std::int32_t>& ids) { return {ids.data(), {ids.size()}, ids.size()}; }
inline SegmentTable one_sentence(const std::vector<std::int32_t>& ids) {
  return SegmentTable::packed({static_cast<std::int32_t>(ids.size())});
}

/// The embedded words and positions of a sentence, (N, D): the input of one half of the model.
inline In<Device, 2> embedded(Device& dev, const std::vector<std::int32_t>& ids, const std::string& table) {
  const Out<Device, 2> positions = dev.kept.matrix(ids.size(), D), x = dev.kept.matrix(ids.size(), D);
  const SegmentTable sentence = one_sentence(ids);
  sinusoids(dev, positions);
  embed_forward(dev, x, view(ids), sentence.view(), Ints<Device, 1>{}, matrix(table), In<Device, 2>(positions),
                {{embedding_scale(D), 0}, {}});
  return x;
}

/// The attention weights of one head, (queries, keys).
inline In<Device, 2> head(In<Device, 2> weights, std::size_t h) {
  return {weights.data + h * weights.stride, {weights.extent[0] / H, weights.extent[1]}, H * weights.stride};
}

}  // namespace gradus::tiny
