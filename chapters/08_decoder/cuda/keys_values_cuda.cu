#include <algorithm>

#include "08_decoder/keys_values.hpp"
#include "gradus/ops/cuda/gemm_each.hpp"

namespace gradus {
namespace {

/// A product with a bias is a launch of its own in any case, and so is the product of a single layer.
template <class Real>
bool gain_from_one_launch(const std::vector<BasicDecoderLayerParams<Real, Gpu>>& p) {
  return p.size() > 1 &&
         std::none_of(p.begin(), p.end(), [](const auto& layer) { return layer.cross_attention.bqkv; });
}

}  // namespace

template <class Real, class Dev>
void keys_values_forward(Cuda<Real>& dev, std::vector<DecoderLayerCache<Dev>>& c, In<Dev, 2> memory,
                         const std::vector<DecoderLayerParams<Dev>>& p) {
  check_keys_values<Dev>(c, memory, p);
  for (DecoderLayerCache<Dev>& layer : c) layer.cross_attention.given_kv = {};
  if (!gain_from_one_launch(p)) return;
  const auto [Nk, D] = memory.extent;
  const auto mark = dev.kept.mark();
  const Out<Dev, 2> below_each_other = dev.kept.matrix(p.size() * Nk, 2 * D);
  std::vector<Out<Dev, 2>> kv;
  std::vector<Factor<Dev>> wkv;
  for (std::size_t l = 0; l < p.size(); ++l) {
    kv.push_back(rows(below_each_other, l * Nk, Nk));
    wkv.push_back(kv_projection(p[l].cross_attention).w);
  }
  if (!gemm_each<Real>(dev, kv, memory, wkv)) return dev.kept.release(mark);  // eq:3.5
  for (std::size_t l = 0; l < p.size(); ++l) c[l].cross_attention.given_kv = kv[l];
}

template KeysValuesForward<Cuda<float>> keys_values_forward;
template KeysValuesForward<Cuda<double>> keys_values_forward;

}  // namespace gradus
