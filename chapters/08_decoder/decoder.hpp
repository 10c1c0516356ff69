#pragma once
/// \file
/// The decoder: a stack of layers that all attend to the same memory, the encoder's output.

#include <string>
#include <vector>

#include "08_decoder/decoder_layer.hpp"
#include "08_decoder/keys_values.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicDecoderParams {
  BasicNormParams<Real, Space> first_norm;  ///< with pre-norm; else absent
  std::vector<BasicDecoderLayerParams<Real, Space>> layers;
};
template <class Dev>
using DecoderParams = BasicDecoderParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicDecoderCache {
  View<Real, 2, Space> first;  ///< (Nt, D), with pre-norm: the input of the first sublayer
  BasicNormCache<Real, Space> first_norm;
  std::vector<BasicDecoderLayerCache<Real, Space>> layers;
  View<const Real, 2, Space> output;  ///< (Nt, D), one row for each next word
};
template <class Dev>
using DecoderCache = BasicDecoderCache<typename Dev::Real, typename Dev::Space>;

/// The parameters `name`.first_norm.gamma (with pre-norm), `name`.0.self_attention.wqkv and so on.
template <class Dev>
DecoderParams<Dev> decoder_params(Binder<Dev>& bind, const std::string& name, const StackOptions& o) {
  DecoderParams<Dev> p;
  if (o.norm == Norm::pre)
    p.first_norm = norm_params(bind, name + ".first_norm", o.d_model, o.norm_form, o.norm_epsilon);
  for (std::size_t l = 0; l < o.layers; ++l) {
    p.layers.push_back(decoder_layer_params(bind, name + "." + std::to_string(l), o));
  }
  return p;
}

/// \defgroup decoder decoder
/// computes  L decoder layers one after the other, all with the same memory; the output is n of the last layer.
/// requires  the rows of x, dx and dn (Nt, D), the rows of memory and dmemory (Ns, D), as decoder_layer says.
/// ensures   c.output is the decoder's output, in dev.kept. Backward: dn is at entry the gradient of c.output and
///           is overwritten; dx is overwritten with the gradient of x; dp is added to, and every layer adds to
///           dmemory.                                                                                  (eq:8.5)
/// saves     the caches of the first norm and of the layers.
/// @{
template <class Dev>
void decoder_forward(Dev& dev, DecoderCache<Dev>& c, const Sequences<Dev>& x, const Sequences<Dev>& memory,
                     const DecoderParams<Dev>& p, const StackOptions& o) {
  first_norm_forward(dev, c, x.rows, p.first_norm, o);
  In<Dev, 2> stream = x.rows, u = first_input<Dev>(c, x.rows, o);
  c.layers.resize(p.layers.size());
  keys_values_forward(dev, c.layers, memory.rows, p.layers);
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    decoder_layer_forward(dev, c.layers[l], stream, {u, x.segments}, memory, p.layers[l], {o, l});
    stream = c.layers[l].after_feed_forward.stream(o.norm);
    u = c.layers[l].after_feed_forward.n;
  }
  c.output = u;
}

template <class Dev>
void decoder_backward(Dev& dev, Out<Dev, 2> dx, Acc<Dev, 2> dn, Acc<Dev, 2> dmemory, const DecoderParams<Dev>& dp,
                      const Sequences<Dev>& x, const Sequences<Dev>& memory, const DecoderCache<Dev>& c,
                      const DecoderParams<Dev>& p, const StackOptions& o) {
  fill(dev, dx, 0);  // nothing reads the stream after the last norm
  for (std::size_t l = p.layers.size(); l-- > 0;) {
    const In<Dev, 2> u = l > 0 ? In<Dev, 2>(c.layers[l - 1].after_feed_forward.n) : first_input<Dev>(c, x.rows, o);
    decoder_layer_backward(dev, dx, dn, dmemory, dp.layers[l], {u, x.segments}, memory, c.layers[l], p.layers[l],
                           {o, l});  // eq:8.5
  }
  first_norm_backward(dev, dx, dn, dp.first_norm, x.rows, c, p.first_norm, o);
}
/// @}

}  // namespace gradus
