#include "01_embedding/cuda/lookup_cuda.hpp"
#include "01_embedding/lookup.hpp"
#include "gradus/kernels/rows_by_id.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256, rows_per_block = threads / 32;

/// One warp for each row.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<const std::int32_t, 1, Gpu> ids,
                               View<const Real, 2, Gpu> table, Real scale, std::int32_t padding) {
  const std::size_t n = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, D = y.extent[1];
  if (n >= y.extent[0]) return;
  const KernelRow<Real> word = word_row(table, ids[n], padding);
  for (std::size_t d = threadIdx.x % 32; d < D; d += 32) y.row(n)[d] = scale * word[d];  // eq:1.1
}

/// The term of the sum dtable: a row of dy, scaled.
template <class Real>
struct ScaledRow {
  View<const Real, 2, Gpu> dy;
  std::array<Real, 2> scale;  ///< twice, because bytes of padding could differ between two recordings
  __device__ gpu::Quad<Real> operator()(std::size_t n, std::size_t quad) const {
    gpu::Quad<Real> term = gpu::load_quad(dy.row(n), 4 * quad, dy.extent[1]);
    for (Real& x : term) x *= scale[0];
    return term;
  }
};

}  // namespace

template <class Real, class Dev>
void lookup_forward(Cuda<Real>&, Out<Dev, 2> y, Ints<Dev, 1> ids, In<Dev, 2> table, const LookupOptions& options) {
  check_lookup_shapes<Dev>(y, ids, table);
  gpu::launch(forward_kernel<Real>, {gpu::blocks_for(y.extent[0], rows_per_block), threads}, y, ids, table,
              static_cast<Real>(options.scale), options.padding);
}

template <class Real, class Dev>
void lookup_backward(Cuda<Real>& dev, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                     const LookupOptions& options) {
  check_lookup_shapes<Dev>(dy, ids, dtable);
  const auto scale = static_cast<Real>(options.scale);
  gpu::add_rows_by_id<Real>(dev, dtable, ids, options.padding, ScaledRow<Real>{dy, {scale, scale}});  // eq:1.3
}

template LookupForward<Cuda<float>> lookup_forward;
template LookupForward<Cuda<double>> lookup_forward;
template LookupBackward<Cuda<float>> lookup_backward;
template LookupBackward<Cuda<double>> lookup_backward;

}  // namespace gradus
