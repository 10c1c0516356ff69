#include "02_positional_encoding/sinusoids.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 64;
constexpr std::size_t positions_per_thread = 16;

/// Each thread has one pair of columns at several neighbouring positions, so it computes the power once for all of
/// them.
template <class Real>
__global__ void sinusoids_kernel(View<Real, 2, Gpu> table) {
  const std::size_t P = table.extent[0], D = table.extent[1];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= D / 2) return;
  const double w = pow(sinusoid_base, -2 * static_cast<double>(i) / static_cast<double>(D));
  const std::size_t first = gpu::block_y() * positions_per_thread;
  for (std::size_t p = first; p < first + positions_per_thread && p < P; ++p) {
    table.row(p)[2 * i] = static_cast<Real>(sin(static_cast<double>(p) * w));  // eq:2.1
    table.row(p)[2 * i + 1] = static_cast<Real>(cos(static_cast<double>(p) * w));
  }
}

}  // namespace

template <class Real, class Dev>
void sinusoids(Cuda<Real>&, Out<Dev, 2> table) {
  check_sinusoids<Dev>(table);
  const auto [P, D] = table.extent;
  gpu::launch(sinusoids_kernel<Real>,
              {gpu::blocks_xy(gpu::blocks_for(D / 2, threads), gpu::blocks_for(P, positions_per_thread)), threads},
              table);
}

template Sinusoids<Cuda<float>> sinusoids;
template Sinusoids<Cuda<double>> sinusoids;

}  // namespace gradus
