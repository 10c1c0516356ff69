#pragma once
/// \file
/// For which products cuBLAS has a launch that also adds a bias: the same with a GPU and on the host layer.

#include <cstdint>

#include "gradus/ops/gemm.hpp"

namespace gradus {

template <class Dev>
void check_gemm_with_bias(Out<Dev, 2> c, const Factor<Dev>& a, const Factor<Dev>& b, In<Dev, 1> bias) {
  check_gemm<Dev>(c, a, b);
  check_shape("gemm: bias", bias, {c.extent[1]});
}

constexpr std::uint32_t aligned_bytes = 16;

/// Whether the product is not empty, and all of it begins at multiples of 16 bytes.
template <class Dev>
bool has_launch_with_bias(Out<Dev, 2> c, const Factor<Dev>& a, const Factor<Dev>& b, In<Dev, 1> bias) {
  const auto aligned = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % aligned_bytes == 0; };
  return !is_empty_product<Dev>(c, a) && aligned(c.data) && aligned(a.matrix.data) && aligned(b.matrix.data) &&
         aligned(bias.data);
}

}  // namespace gradus
