#include <limits>

#include "11_translator/search/past.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128;

/// past[at[n]] = source[from[n]]; without `from`, source[n]. One block for each row; neighbouring threads copy
/// neighbouring columns. Blocks have no fixed order, so in place no row may be both read and written.
template <class Real>
__global__ void rows_kernel(View<Real, 2, Gpu> past, View<const Real, 2, Gpu> source,
                            View<const std::int32_t, 1, Gpu> from, View<const std::int32_t, 1, Gpu> at) {
  const std::size_t n = blockIdx.x;
  if (n >= at.extent[0] || !is_past_row(at[n], past.extent[0])) return;
  const std::size_t row = from ? static_cast<std::size_t>(from[n]) : n;
  const bool exists = row < source.extent[0];  // -1 became larger than any size
  Real* const out = past.row(static_cast<std::size_t>(at[n]));
  for (std::size_t j = threadIdx.x; j < past.extent[1]; j += threads) {
    out[j] = exists ? source.row(row)[j] : std::numeric_limits<Real>::quiet_NaN();
  }
}

}  // namespace

template <class Real, class Dev>
void past_append(Cuda<Real>&, Out<Dev, 2> past, In<Dev, 2> x, Ints<Dev, 1> at) {
  check_append_shapes<Dev>(past, x, at);
  gpu::launch(rows_kernel<Real>, {gpu::blocks_for(at.extent[0], 1), threads}, past, x, Ints<Dev, 1>{}, at);
}

template <class Real, class Dev>
void past_select(Cuda<Real>&, Out<Dev, 2> past, In<Dev, 2> source, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_select_shapes<Dev>(past, source, from, at);
  gpu::launch(rows_kernel<Real>, {gpu::blocks_for(at.extent[0], 1), threads}, past, source, from, at);
}

template PastAppend<Cuda<float>> past_append;
template PastAppend<Cuda<double>> past_append;
template PastSelect<Cuda<float>> past_select;
template PastSelect<Cuda<double>> past_select;

}  // namespace gradus
