#include "03_attention/attention.hpp"
#include "04_masks/dense.hpp"
#include "04_masks/masks.hpp"

#include <algorithm>

namespace gradus {

template <class Real, class Dev>
void padding_mask(Cpu<Real>&, OutInts<Dev, 3> mask, Ints<Dev, 2> keys, std::int32_t padding) {
  check_padding_mask<Dev>(mask, keys);
  const auto [B, T, S] = mask.extent;
  for (std::size_t b = 0; T != 0 && b < B; ++b) {
    const auto m = sentence(mask, b);
    for (std::size_t s = 0; s < S; ++s) m.row(0)[s] = keys.row(b)[s] != padding ? 1 : 0;
    for (std::size_t t = 1; t < T; ++t) std::copy_n(m.row(0), S, m.row(t));  // the same keys for every query
  }
}

template <class Real, class Dev>
void causal_mask(Cpu<Real>&, OutInts<Dev, 3> mask, Ints<Dev, 3> within) {
  check_causal_mask<Dev>(mask, within);
  const auto [B, T, S] = mask.extent;
  for (std::size_t row = 0; row < B * T; ++row) {
    std::int32_t* const m = mask.row(row);
    const std::size_t visible = visible_keys(row % T, T, S, true);
    if (!within) {
      std::fill_n(m, visible, 1);
    } else if (within.row(row) != m) {
      std::copy_n(within.row(row), visible, m);
    }
    std::fill(m + visible, m + S, 0);
  }
}

template PaddingMask<Cpu<float>> padding_mask;
template PaddingMask<Cpu<double>> padding_mask;
template CausalMask<Cpu<float>> causal_mask;
template CausalMask<Cpu<double>> causal_mask;

}  // namespace gradus
