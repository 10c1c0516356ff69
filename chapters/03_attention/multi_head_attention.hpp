#pragma once
/// \file
/// Multi-head attention: projection, attention, second projection. Self-attention reads queries, keys and values
/// from one sequence; cross-attention reads queries from one sequence, and keys and values from the memory.

#include <string>
#include <utility>

#include "00_foundations/linear.hpp"
#include "03_attention/attention.hpp"
#include "gradus/device/device.hpp"
#include "gradus/params/flat_vector.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicAttentionParams {
  View<Real, 2, Space> wqkv;  ///< (D, 3 D): query | key | value; head h has columns h Dk .. of each third
  View<Real, 1, Space> bqkv;  ///< (3 D), or absent
  View<Real, 2, Space> wo;    ///< (D, D)
  View<Real, 1, Space> bo;    ///< (D), or absent
};
template <class Dev>
using AttentionParams = BasicAttentionParams<typename Dev::Real, typename Dev::Space>;

/// Which of the projections have a bias.
struct AttentionBias {
  bool qkv = false, output = false;
};

/// The parameters `name`.wqkv and `name`.wo, and `name`.bqkv and `name`.bo if there is such a bias.
template <class Dev>
AttentionParams<Dev> attention_params(Binder<Dev>& bind, const std::string& name, std::size_t D,
                                      const AttentionBias& bias) {
  AttentionParams<Dev> p;
  p.wqkv = bind.weight(name + ".wqkv", D, 3 * D, 3);
  if (bias.qkv) p.bqkv = bind.bias(name + ".bqkv", 3 * D, D);
  p.wo = bind.weight(name + ".wo", D, D);
  if (bias.output) p.bo = bind.bias(name + ".bo", D, D);
  return p;
}

/// Columns first .. first + count - 1 of the packed projection, as a linear map.
template <class Real, class Space>
BasicLinearParams<Real, Space> packed_columns(const BasicAttentionParams<Real, Space>& p, std::size_t first,
                                              std::size_t count) {
  return {columns(p.wqkv, first, count), slice(p.bqkv, first, count)};
}
template <class Real, class Space>
BasicLinearParams<Real, Space> qkv_projection(const BasicAttentionParams<Real, Space>& p) {
  return {p.wqkv, p.bqkv};
}
template <class Real, class Space>
BasicLinearParams<Real, Space> q_projection(const BasicAttentionParams<Real, Space>& p) {
  return packed_columns(p, 0, p.wo.extent[0]);
}
template <class Real, class Space>
BasicLinearParams<Real, Space> kv_projection(const BasicAttentionParams<Real, Space>& p) {
  return packed_columns(p, p.wo.extent[0], 2 * p.wo.extent[0]);
}
template <class Real, class Space>
BasicLinearParams<Real, Space> output_projection(const BasicAttentionParams<Real, Space>& p) {
  return {p.wo, p.bo};
}

/// Saved by self-attention: the inputs of its leaves that the caller does not keep, and the weights.
template <class Real, class Space>
struct BasicSelfAttentionCache {
  View<Real, 2, Space> qkv;                    ///< (N, 3 D)
  BasicAttentionCache<Real, Space> attention;  ///< the weights
  View<Real, 2, Space> heads;                  ///< (N, D): the heads' outputs side by side
};
template <class Dev>
using SelfAttentionCache = BasicSelfAttentionCache<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicCrossAttentionCache {
  View<Real, 2, Space> q;                      ///< (Nq, D)
  View<Real, 2, Space> kv;                     ///< (Nk, 2 D)
  BasicAttentionCache<Real, Space> attention;  ///< the weights
  View<Real, 2, Space> heads;                  ///< (Nq, D)
  View<Real, 2, Space> given_kv;               ///< (Nk, 2 D): kv, if the decoder has computed it already; or absent
};
template <class Dev>
using CrossAttentionCache = BasicCrossAttentionCache<typename Dev::Real, typename Dev::Space>;

/// One of the packed parts, each as wide as the model: 0 query, 1 key, 2 value of a self-attention's qkv; 0 key,
/// 1 value of a cross-attention's kv.
template <class Real, class Space>
View<Real, 2, Space> packed_part(View<Real, 2, Space> packed, std::size_t part, std::size_t D) {
  return columns(packed, part * D, D);
}

/// The inputs of attention, as parts of the saved projections.
template <class Real, class Space>
BasicAttentionInput<Real, Space> self_attention_input(const BasicSelfAttentionCache<Real, Space>& c,
                                                      const BasicSegments<Space>& sentences) {
  const std::size_t D = c.qkv.extent[1] / 3;
  return {packed_part(c.qkv, 0, D), packed_part(c.qkv, 1, D), packed_part(c.qkv, 2, D), sentences, sentences};
}
template <class Real, class Space>
BasicAttentionInput<Real, Space> cross_attention_input(const BasicCrossAttentionCache<Real, Space>& c,
                                                       const BasicSegments<Space>& queries,
                                                       const BasicSegments<Space>& keys) {
  const std::size_t D = c.kv.extent[1] / 2;
  return {c.q, packed_part(c.kv, 0, D), packed_part(c.kv, 1, D), queries, keys};
}

template <class Dev>
void check_attention_params(In<Dev, 2> x, const AttentionParams<Dev>& p) {
  const std::size_t D = x.extent[1];
  check_shape("attention: wqkv", p.wqkv, {D, 3 * D});
  check_optional("attention: bqkv", p.bqkv, {3 * D});
  check_shape("attention: wo", p.wo, {D, D});
  check_optional("attention: bo", p.bo, {D});
}

/// \defgroup multi_head_attention multi-head attention
/// computes  self:   q | k | v = x wqkv + bqkv                                                       (eq:3.4)
///           cross:  q = x wq + bq,  k | v = memory wkv + bkv                                        (eq:3.5)
///           both:   f = attention(q, k, v) wo + bo                                                  (eq:3.6)
///           (Vaswani et al. 2017, section 3.2.2; we pack three matrices into one, and biases are optional)
/// requires  x, f, dx, df (Nq, D), memory, dmemory (Nk, D), parameters as BasicAttentionParams says, else Error.
///           dx may be df. cache.given_kv, if present, is k | v of this memory.
/// ensures   f and dx are overwritten; dmemory and dp are added to. cache.given_kv is used by one forward and then absent.
/// saves     the projections, the weights of attention, and the outputs of the heads.
/// @{
template <class Dev>
void self_attention_forward(Dev& dev, Out<Dev, 2> f, SelfAttentionCache<Dev>& cache, const Sequences<Dev>& x,
                            const AttentionParams<Dev>& p, const AttentionOptions& options) {
  check_attention_params<Dev>(x.rows, p);
  const auto [N, D] = x.rows.extent;
  cache.qkv = dev.kept.matrix(N, 3 * D);
  linear_forward(dev, cache.qkv, x.rows, qkv_projection(p));  // eq:3.4
  cache.heads = dev.kept.matrix(N, D);
  attention_forward(dev, cache.heads, cache.attention, self_attention_input(cache, x.segments), options);
  linear_forward(dev, f, cache.heads, output_projection(p));  // eq:3.6
}

template <class Dev>
void self_attention_backward(Dev& dev, Out<Dev, 2> dx, const AttentionParams<Dev>& dp, In<Dev, 2> df,
                             const Sequences<Dev>& x, const SelfAttentionCache<Dev>& cache,
                             const AttentionParams<Dev>& p, const AttentionOptions& options) {
  check_attention_params<Dev>(x.rows, p);
  check_attention_params<Dev>(x.rows, dp);
  const auto [N, D] = x.rows.extent;
  Scratch<Dev> scope(dev);
  const auto dheads = dev.scratch.matrix(N, D), dqkv = dev.scratch.matrix(N, 3 * D);
  linear_backward(dev, dheads, output_projection(dp), df, cache.heads, output_projection(p));
  attention_backward(dev, {packed_part(dqkv, 0, D), packed_part(dqkv, 1, D), packed_part(dqkv, 2, D)}, dheads,
                     self_attention_input(cache, x.segments), cache.attention, options);
  linear_backward(dev, dx, qkv_projection(dp), dqkv, x.rows, qkv_projection(p));
}

template <class Dev>
void cross_attention_forward(Dev& dev, Out<Dev, 2> f, CrossAttentionCache<Dev>& cache, const Sequences<Dev>& x,
                             const Sequences<Dev>& memory, const AttentionParams<Dev>& p,
                             const AttentionOptions& options) {
  check_attention_params<Dev>(x.rows, p);
  cache.kv = std::exchange(cache.given_kv, {});  // once: the next forward may have another memory
  // exercise: begin
  const auto [Nq, D] = x.rows.extent;
  cache.q = dev.kept.matrix(Nq, D);
  linear_forward(dev, cache.q, x.rows, q_projection(p));  // eq:3.5
  if (!cache.kv) {
    cache.kv = dev.kept.matrix(memory.rows.extent[0], 2 * D);
    linear_forward(dev, cache.kv, memory.rows, kv_projection(p));
  }
  cache.heads = dev.kept.matrix(Nq, D);
  attention_forward(dev, cache.heads, cache.attention, cross_attention_input(cache, x.segments, memory.segments),
                    options);
  linear_forward(dev, f, cache.heads, output_projection(p));  // eq:3.6
  // exercise: end
}

template <class Dev>
void cross_attention_backward(Dev& dev, Out<Dev, 2> dx, Acc<Dev, 2> dmemory, const AttentionParams<Dev>& dp,
                              In<Dev, 2> df, const Sequences<Dev>& x, const Sequences<Dev>& memory,
                              const CrossAttentionCache<Dev>& cache, const AttentionParams<Dev>& p,
                              const AttentionOptions& options) {
  check_attention_params<Dev>(x.rows, p);
  check_attention_params<Dev>(x.rows, dp);
  // exercise: begin
  const auto [Nq, D] = x.rows.extent;
  const std::size_t Nk = memory.rows.extent[0];
  Scratch<Dev> scope(dev);
  const auto dheads = dev.scratch.matrix(Nq, D), dq = dev.scratch.matrix(Nq, D);
  const auto dkv = dev.scratch.matrix(Nk, 2 * D);
  linear_backward(dev, dheads, output_projection(dp), df, cache.heads, output_projection(p));
  attention_backward(dev, {dq, packed_part(dkv, 0, D), packed_part(dkv, 1, D)}, dheads,
                     cross_attention_input(cache, x.segments, memory.segments), cache.attention, options);
  // Every decoder layer reads the memory: gradients add.
  linear_backward_add(dev, dmemory, kv_projection(dp), dkv, memory.rows, kv_projection(p));
  linear_backward(dev, dx, q_projection(dp), dq, x.rows, q_projection(p));
  // exercise: end
}
/// @}

}  // namespace gradus
