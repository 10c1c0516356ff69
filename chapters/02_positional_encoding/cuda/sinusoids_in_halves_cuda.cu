#include "02_positional_encoding/sinusoids_in_halves.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 64;
constexpr std::size_t positions_per_thread = 16;

/// Each thread has one frequency at several neighbouring positions, so it computes the power once for all of them.
template <class Real>
__global__ void halves_kernel(View<Real, 2, Gpu> table, double step_count) {
  const std::size_t P = table.extent[0], half = table.extent[1] / 2;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= half) return;
  const double w = pow(sinusoid_base, -static_cast<double>(i) / step_count);
  const std::size_t first = gpu::block_y() * positions_per_thread;
  for (std::size_t p = first; p < first + positions_per_thread && p < P; ++p) {
    table.row(p)[i] = static_cast<Real>(sin(static_cast<double>(p) * w));  // eq:2.6
    table.row(p)[half + i] = static_cast<Real>(cos(static_cast<double>(p) * w));
  }
}

}  // namespace

template <class Real, class Dev>
void sinusoids_in_halves(Cuda<Real>&, Out<Dev, 2> table, HalvesSteps steps) {
  const double step_count = steps_of<Dev>(table, steps);
  const auto [P, D] = table.extent;
  gpu::launch(halves_kernel<Real>,
              {gpu::blocks_xy(gpu::blocks_for(D / 2, threads), gpu::blocks_for(P, positions_per_thread)), threads},
              table, step_count);
}

template SinusoidsInHalves<Cuda<float>> sinusoids_in_halves;
template SinusoidsInHalves<Cuda<double>> sinusoids_in_halves;

}  // namespace gradus
