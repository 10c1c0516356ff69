#pragma once
/// \file
/// The encoder: a stack of layers, each with its own parameters.

#include <vector>

#include "07_encoder/encoder_layer.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicEncoderParams {
  BasicNormParams<Real, Space> first_norm;  ///< with pre-norm; else absent
  std::vector<BasicEncoderLayerParams<Real, Space>> layers;
};
template <class Dev>
using EncoderParams = BasicEncoderParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicEncoderCache {
  View<Real, 2, Space> first;  ///< (N, D), with pre-norm: the input of the first sublayer
  BasicNormCache<Real, Space> first_norm;
  std::vector<BasicEncoderLayerCache<Real, Space>> layers;
  View<const Real, 2, Space> output;  ///< (N, D), the memory that the decoder attends to
};
template <class Dev>
using EncoderCache = BasicEncoderCache<typename Dev::Real, typename Dev::Space>;

/// The parameters `name`.first_norm.gamma (with pre-norm), `name`.0.self_attention.wqkv, `name`.1. ... and so on.
template <class Dev>
EncoderParams<Dev> encoder_params(Binder<Dev>& bind, const std::string& name, const StackOptions& o) {
  EncoderParams<Dev> p;
  if (o.norm == Norm::pre)
    p.first_norm = norm_params(bind, name + ".first_norm", o.d_model, o.norm_form, o.norm_epsilon);
  for (std::size_t l = 0; l < o.layers; ++l) {
    p.layers.push_back(encoder_layer_params(bind, name + "." + std::to_string(l), o));
  }
  return p;
}

/// \defgroup encoder encoder
/// computes  L encoder layers one after the other; the output is n of the last layer. With pre-norm the norm of the
///           last sublayer is the final norm; with post-norm there are only the norms of the sublayers.
/// requires  the rows of x, dx and dn (N, D); parameters as encoder_params gives them.
/// ensures   c.output is the encoder's output, in dev.kept. Backward: dn is at entry the gradient of c.output and
///           is overwritten; dx is overwritten with the gradient of x; dp is added to.
/// saves     the caches of the first norm and of the layers.
/// @{
template <class Dev>
void encoder_forward(Dev& dev, EncoderCache<Dev>& c, const Sequences<Dev>& x, const EncoderParams<Dev>& p,
                     const StackOptions& o) {
  first_norm_forward(dev, c, x.rows, p.first_norm, o);
  In<Dev, 2> stream = x.rows, u = first_input<Dev>(c, x.rows, o);
  c.layers.resize(p.layers.size());
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    encoder_layer_forward(dev, c.layers[l], stream, {u, x.segments}, p.layers[l], {o, l});
    stream = c.layers[l].after_feed_forward.stream(o.norm);
    u = c.layers[l].after_feed_forward.n;
  }
  c.output = u;
}

template <class Dev>
void encoder_backward(Dev& dev, Out<Dev, 2> dx, Acc<Dev, 2> dn, const EncoderParams<Dev>& dp,
                      const Sequences<Dev>& x, const EncoderCache<Dev>& c, const EncoderParams<Dev>& p,
                      const StackOptions& o) {
  fill(dev, dx, 0);  // nothing reads the stream after the last norm
  for (std::size_t l = p.layers.size(); l-- > 0;) {
    const In<Dev, 2> u = l > 0 ? In<Dev, 2>(c.layers[l - 1].after_feed_forward.n) : first_input<Dev>(c, x.rows, o);
    encoder_layer_backward(dev, dx, dn, dp.layers[l], {u, x.segments}, c.layers[l], p.layers[l], {o, l});
  }
  first_norm_backward(dev, dx, dn, dp.first_norm, x.rows, c, p.first_norm, o);
}
/// @}

}  // namespace gradus
