#pragma once
/// \file
/// The output layer, which turns the decoder's rows into logits. Sizes: N rows, D model width, Vocab words.

#include "gradus/device/device.hpp"
#include "gradus/device/in_parallel.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicOutputParams {
  View<Real, 2, Space> table;  ///< (Vocab, D); a tied one is a view of the target embedding
  View<Real, 1, Space> bias;   ///< (Vocab), or absent; it is never tied
  /// No parameter, and read by decoding only: the table in another order, by output_panels, or absent.
  View<const Real, 2, Space> panels = {};
};
template <class Dev>
using OutputParams = BasicOutputParams<typename Dev::Real, typename Dev::Space>;

template <class Dev>
void check_output_params(In<Dev, 2> x, const OutputParams<Dev>& p) {
  check_shape("output: table", p.table, {p.table.extent[0], x.extent[1]});
  check_optional("output: bias", p.bias, {p.table.extent[0]});
}

template <class Dev>
void check_output_gradients(const OutputParams<Dev>& dp, const OutputParams<Dev>& p) {
  check_shape("output: dtable", dp.table, p.table.extent);
  check_shape("output: dbias", dp.bias, p.bias.extent);
}

/// A column of N ones, (N, 1): a bias is the weight of one more input, which is always 1.
template <class Dev>
In<Dev, 2> ones(Dev& dev, std::size_t N) {
  const Out<Dev, 2> column = dev.scratch.matrix(N, 1);
  fill(dev, column, 1);
  return column;
}

/// z += 1 bias, if there is one.
template <class Dev>
void add_output_bias(Dev& dev, Acc<Dev, 2> z, const OutputParams<Dev>& p) {
  if (!p.bias) return;
  Scratch<Dev> scope(dev);
  gemm_add(dev, z, ones(dev, z.extent[0]), In<Dev, 2>(as_matrix(p.bias, 1, p.bias.extent[0])));
}

/// \defgroup output_map output map
/// computes  z = x table^T + 1 bias, the logits                                                          (eq:9.3)
///           and backward  dx = dz table,  dtable += dz^T x,  dbias += 1^T dz                            (eq:10.3)
///           where 1 is a column of N ones (Vaswani et al. 2017, section 3.4; the paper has no bias).
/// requires  x, dx (N, D), z, dz (N, Vocab), parameters as BasicOutputParams says, else Error.
/// ensures   z and dx are overwritten; dp is added to. dp has a bias exactly if p has one, else Error.
/// saves     nothing: backward gets x again.
/// @{
template <class Dev>
void output_forward(Dev& dev, Out<Dev, 2> z, In<Dev, 2> x, const OutputParams<Dev>& p) {
  check_output_params<Dev>(x, p);
  gemm(dev, z, x, transposed(p.table));
  add_output_bias(dev, z, p);
}

template <class Dev>
void output_backward(Dev& dev, Out<Dev, 2> dx, const OutputParams<Dev>& dp, In<Dev, 2> dz, In<Dev, 2> x,
                     const OutputParams<Dev>& p) {
  check_output_params<Dev>(x, p);
  check_output_gradients<Dev>(dp, p);
  in_parallel(
      dev, [&] { gemm(dev, dx, dz, p.table); }, [&] { gemm_add(dev, dp.table, transposed(dz), x); });
  if (!dp.bias) return;
  Scratch<Dev> scope(dev);
  gemm_add(dev, as_matrix(dp.bias, 1, dp.bias.extent[0]), transposed(ones(dev, x.extent[0])), dz);
}
/// @}

}  // namespace gradus
