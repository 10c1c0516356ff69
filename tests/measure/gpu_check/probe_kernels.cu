#include "gradus/kernels/reduce.hpp"
#include "measure/gpu_check/probe_kernels.hpp"

namespace gradus::test {
namespace {

struct alignas(16) Four {
  float x[4];
};

__global__ void empty_kernel() {}

__global__ void copy_kernel(Four* y, const Four* x, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

}  // namespace

void launch_empty() { gpu::launch(empty_kernel, {1, 32}); }

void launch_copy(View<float, 1, Gpu> y, View<const float, 1, Gpu> x) {
  constexpr unsigned threads = 256;
  const std::size_t n = x.extent[0] / 4;
  gpu::launch(copy_kernel, {gpu::blocks_for(n, threads), threads}, reinterpret_cast<Four*>(y.data),
              reinterpret_cast<const Four*>(x.data), n);
}

}  // namespace gradus::test
