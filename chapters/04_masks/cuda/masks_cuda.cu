#include "03_attention/attention.hpp"
#include "04_masks/masks.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128, rows_per_block = threads / 32;

/// One warp for each row of a mask, here and below. A row is a query; neighbouring lanes are neighbouring keys.
__global__ void padding_kernel(View<std::int32_t, 3, Gpu> mask, View<const std::int32_t, 2, Gpu> keys,
                               std::int32_t padding) {
  const std::size_t T = mask.extent[1], S = mask.extent[2];
  const std::size_t row = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32;
  if (row >= mask.extent[0] * T) return;
  const std::int32_t* const ids = keys.row(row / T);
  for (std::size_t s = threadIdx.x % 32; s < S; s += 32) mask.row(row)[s] = ids[s] != padding ? 1 : 0;  // eq:4.1
}

/// mask may be `within`: one lane reads and writes an element.
__global__ void causal_kernel(View<std::int32_t, 3, Gpu> mask, View<const std::int32_t, 3, Gpu> within) {
  const std::size_t T = mask.extent[1], S = mask.extent[2];
  const std::size_t row = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32;
  if (row >= mask.extent[0] * T) return;
  const std::size_t visible = visible_keys(row % T, T, S, true);
  for (std::size_t s = threadIdx.x % 32; s < S; s += 32) {
    const bool allowed = !within || within.row(row)[s] != 0;
    mask.row(row)[s] = s < visible && allowed ? 1 : 0;  // eq:4.2
  }
}

gpu::Grid grid_for(const View<std::int32_t, 3, Gpu>& mask) {
  return {gpu::blocks_for(mask.extent[0] * mask.extent[1], rows_per_block), threads};
}

}  // namespace

template <class Real, class Dev>
void padding_mask(Cuda<Real>&, OutInts<Dev, 3> mask, Ints<Dev, 2> keys, std::int32_t padding) {
  check_padding_mask<Dev>(mask, keys);
  gpu::launch(padding_kernel, grid_for(mask), mask, keys, padding);
}

template <class Real, class Dev>
void causal_mask(Cuda<Real>&, OutInts<Dev, 3> mask, Ints<Dev, 3> within) {
  check_causal_mask<Dev>(mask, within);
  gpu::launch(causal_kernel, grid_for(mask), mask, within);
}

template PaddingMask<Cuda<float>> padding_mask;
template PaddingMask<Cuda<double>> padding_mask;
template CausalMask<Cuda<float>> causal_mask;
template CausalMask<Cuda<double>> causal_mask;

}  // namespace gradus
