#include "10_training/step/step_log.hpp"
#include "gradus/gpu/language.hpp"

namespace gradus {
namespace {

template <class Real>
__global__ void log_kernel(View<Real, 2, Gpu> log, View<const Real, 1, Gpu> numbers, const StepState* state) {
  Real* const row = log.row(state->step % log.extent[0]);
  for (std::size_t i = threadIdx.x; i < numbers.extent[0]; i += blockDim.x) row[i] = numbers[i];
}

}  // namespace

template <class Real, class Dev>
void log_step(Cuda<Real>& dev, Acc<Dev, 2> log, In<Dev, 1> numbers) {
  check_shape("log_step: numbers", numbers, {log.extent[1]});
  gpu::launch(log_kernel<Real>, {1, 32}, log, numbers, dev.device_state());
}

using F = Cuda<float>;
using D = Cuda<double>;
template void log_step(F&, Acc<F, 2>, In<F, 1>);
template void log_step(D&, Acc<D, 2>, In<D, 1>);

}  // namespace gradus
