#include "10_training/loss/cuda/output_loss_cuda.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/kernels/version.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128;

/// One thread for each row: the processor's loop, unchanged. In each iteration the threads of a warp read one
/// number each, a whole row apart from one another.
template <class Real>
__global__ void naive_kernel(View<Real, 2, Gpu> logits, View<Real, 1, Gpu> row_loss,
                             View<const std::int32_t, 1, Gpu> target, Real smoothing, const StepState* state) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, vocab = logits.extent[1];
  if (n >= logits.extent[0]) return;
  Real* const z = logits.row(n);
  const bool is_used = target[n] >= 0;
  const Real of_target = z[is_used ? target[n] : 0],
             factor = is_used ? static_cast<Real>(state->inverse_tokens) : 0;
  Real largest = z[0], sum = 0, sum_of_exp = 0;
  for (std::size_t v = 0; v < vocab; ++v) {
    largest = z[v] > largest ? z[v] : largest;
    sum += z[v];
  }
  for (std::size_t v = 0; v < vocab; ++v) {
    z[v] = exp(z[v] - largest);
    sum_of_exp += z[v];
  }
  const Real scale = factor / sum_of_exp, spread = factor * smoothing / static_cast<Real>(vocab);
  for (std::size_t v = 0; v < vocab; ++v) z[v] = scale * z[v] - spread;
  if (is_used) z[target[n]] -= factor * (1 - smoothing);
  const Real mean = sum / static_cast<Real>(vocab);
  const Real loss = log(sum_of_exp) - (1 - smoothing) * (of_target - largest) - smoothing * (mean - largest);
  row_loss[n] = is_used ? loss : 0;
}

/// loss_rows, always with the gradient; a target must be a word or negative.
template <class Real>
void naive_rows(Cuda<Real>& dev, View<Real, 2, Gpu> logits, View<Real, 1, Gpu> row_loss,
                View<const std::int32_t, 1, Gpu> target, double smoothing, bool) {
  gpu::launch(naive_kernel<Real>, {gpu::blocks_for(logits.extent[0], threads), threads}, logits, row_loss, target,
              static_cast<Real>(smoothing), dev.device_state());
}

const KernelVersion in_float("naive", naive_rows<float>);
const KernelVersion in_double("naive", naive_rows<double>);

}  // namespace
}  // namespace gradus
