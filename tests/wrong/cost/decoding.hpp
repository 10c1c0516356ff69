#pragma once
/// \file
/// The mistakes that a search must make once more: it calls another composition of the decoder than training does.

#include "11_translator/search/decoder_step.hpp"
#include "wrong/decoder.hpp"

namespace gradus::wrong {

template <class Base>
void remember_source(CrossModuleUnused<Base>& dev, const DecoderMemory<Base>& m, In<Base, 2> memory,
                     const DecoderParams<Base>& p) {
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    linear_forward(static_cast<Base&>(dev), m.source[l], memory, kv_projection(p.layers[l].self_attention));
  }
}
template <class Base>
void decoder_layer_step(CrossModuleUnused<Base>& dev, Residual<Base>& out, Out<Base, 2> past, In<Base, 2> source,
                        In<Base, 2> turned, In<Base, 2> x, In<Base, 2> u, const DecodingStep<Base>& step,
                        const DecoderLayerParams<Base>& p, const LayerOptions& o) {
  gradus::decoder_layer_step(static_cast<Base&>(dev), out, past, source, turned, x, u, step,
                             self_for_cross<Base>(p), o);
}

}  // namespace gradus::wrong
