#include "04_masks/dense.hpp"
#include "04_masks/masks.hpp"
#include "gradus/scalar/dual.hpp"

namespace gradus {

template <class Real, class Dev>
void padding_mask(Reference<Real>&, OutInts<Dev, 3> mask, Ints<Dev, 2> keys, std::int32_t padding) {
  check_padding_mask<Dev>(mask, keys);
  const auto [B, T, S] = mask.extent;
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t j = 0; j < S; ++j) {
        // exercise: begin
        sentence(mask, b).row(t)[j] = keys.row(b)[j] != padding ? 1 : 0;  // eq:4.1
        // exercise: end
      }
    }
  }
}

template <class Real, class Dev>
void causal_mask(Reference<Real>&, OutInts<Dev, 3> mask, Ints<Dev, 3> within) {
  check_causal_mask<Dev>(mask, within);
  const auto [B, T, S] = mask.extent;
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t j = 0; j < S; ++j) {
        // exercise: begin
        const bool past = j + T <= S + t;  // eq:4.2
        const bool allowed = !within || sentence(within, b).row(t)[j] != 0;
        sentence(mask, b).row(t)[j] = past && allowed ? 1 : 0;
        // exercise: end
      }
    }
  }
}

template PaddingMask<Reference<double>> padding_mask;
template PaddingMask<Reference<Dual>> padding_mask;
template CausalMask<Reference<double>> causal_mask;
template CausalMask<Reference<Dual>> causal_mask;

}  // namespace gradus
