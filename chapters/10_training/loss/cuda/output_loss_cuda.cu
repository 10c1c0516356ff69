#include "10_training/loss/cuda/output_loss_cuda.hpp"

#include <algorithm>

#include "10_training/loss/output_loss.hpp"
#include "gradus/kernels/exp_sum.hpp"

namespace gradus {
namespace {

constexpr std::size_t chunk = 1024;  ///< rows whose logits exist at the same time

/// One block for each row of logits z. If there is a gradient, it replaces z. The row's loss, before it is
/// multiplied by 1 / tokens, goes to row_loss. A thread has every blockDim-th column, and no other thread reads or
/// writes it.
template <class Real, bool has_gradient>
__global__ void row_kernel(View<Real, 2, Gpu> logits, View<Real, 1, Gpu> row_loss,
                           View<const std::int32_t, 1, Gpu> target, Real smoothing, const StepState* state) {
  gpu::wait_for_earlier_work();
  const std::size_t n = blockIdx.x, vocab = logits.extent[1];
  if (n >= logits.extent[0]) return;  // the whole block
  const std::int32_t t = target[n];
  Real* const z = logits.row(n);
  if (t < 0) {  // a spare row: the whole block takes this branch
    for (std::size_t v = threadIdx.x; has_gradient && v < vocab; v += blockDim.x) z[v] = 0;
    if (threadIdx.x == 0) row_loss[n] = 0;
    return;
  }
  const bool is_word = static_cast<std::size_t>(t) < vocab;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real of_target = is_word ? z[t] : nan;  // read before the barriers below; its thread writes it after them
  gpu::ExpSum<Real> own;
  Real own_sum = 0;
  for (std::size_t v = threadIdx.x; v < vocab; v += blockDim.x) {
    gpu::add_exp(own, z[v]);
    own_sum += z[v];
  }
  const gpu::ExpSum<Real> all = gpu::block_exp_sum(own);
  const Real mean = gpu::block_sum(own_sum) / static_cast<Real>(vocab);
  if (threadIdx.x == 0) {  // eq:10.1, the maximum subtracted from every term
    row_loss[n] = log(all.sum) - (1 - smoothing) * (of_target - all.largest) - smoothing * (mean - all.largest);
  }
  if (!has_gradient) return;
  const Real factor = is_word ? static_cast<Real>(state->inverse_tokens) : nan;
  const Real scale = factor / all.sum, spread = factor * smoothing / static_cast<Real>(vocab);
  for (std::size_t v = threadIdx.x; v < vocab; v += blockDim.x) {
    const Real dz = scale * exp(z[v] - all.largest) - spread;  // eq:10.2
    z[v] = v == static_cast<std::size_t>(t) ? dz - factor * (1 - smoothing) : dz;
  }
}

/// One block: loss += the rows' losses / tokens. The order of additions depends on their number alone.
template <class Real>
__global__ void add_losses_kernel(View<Real, 1, Gpu> loss, View<const Real, 1, Gpu> row_loss,
                                  const StepState* state) {
  double sum = 0;
  for (std::size_t n = threadIdx.x; n < row_loss.extent[0]; n += blockDim.x) sum += row_loss[n];
  sum = gpu::block_sum(sum);
  if (threadIdx.x == 0) loss[0] += static_cast<Real>(state->inverse_tokens * sum);
}

}  // namespace

template <class Real>
void loss_rows(Cuda<Real>& dev, View<Real, 2, Gpu> logits, View<Real, 1, Gpu> row_loss,
               View<const std::int32_t, 1, Gpu> target, double smoothing, bool has_gradient) {
  const auto [N, vocab] = logits.extent;
  gpu::launch_early(has_gradient ? row_kernel<Real, true> : row_kernel<Real, false>,
                    {gpu::blocks_for(N, 1), gpu::row_threads(vocab)}, logits, row_loss, target,
                    static_cast<Real>(smoothing), dev.device_state());
}

namespace {

/// Both functions: chunk by chunk, with the gradient if the caller gives room for it.
template <class Real>
void run(Cuda<Real>& dev, View<Real, 1, Gpu> loss, View<Real, 2, Gpu> dx, const BasicOutputParams<Real, Gpu>& dp,
         View<const Real, 2, Gpu> x, const BasicOutputParams<Real, Gpu>& p, View<const std::int32_t, 1, Gpu> target,
         double smoothing) {
  const std::size_t N = x.extent[0], vocab = p.table.extent[0];
  Scratch scope(dev);
  const auto logits = dev.scratch.matrix(std::min(chunk, N), vocab);
  const auto row_loss = dev.scratch.vector(N);
  for (std::size_t first = 0; first < N; first += chunk) {
    const std::size_t count = std::min(chunk, N - first);
    const auto z = rows(logits, 0, count);
    output_forward(dev, z, rows(x, first, count), p);
    loss_rows(dev, z, slice(row_loss, first, count), slice(target, first, count), smoothing, bool(dx));
    if (!dx) continue;
    output_backward(dev, rows(dx, first, count), dp, z, rows(x, first, count), p);  // eq:10.3
  }
  gpu::launch(add_losses_kernel<Real>, {1, gpu::row_threads(N)}, loss, row_loss, dev.device_state());
}

}  // namespace

template <class Real, class Dev>
void output_loss_value(Cuda<Real>& dev, Acc<Dev, 1> loss, In<Dev, 2> x, const OutputParams<Dev>& p,
                       Ints<Dev, 1> target, double smoothing) {
  check_output_loss<Dev>(loss, x, p, target, smoothing);
  run<Real>(dev, loss, {}, {}, x, p, target, smoothing);
}

template <class Real, class Dev>
void output_loss(Cuda<Real>& dev, Acc<Dev, 1> loss, Out<Dev, 2> dx, const OutputParams<Dev>& dp, In<Dev, 2> x,
                 const OutputParams<Dev>& p, Ints<Dev, 1> target, double smoothing) {
  check_output_loss<Dev>(loss, x, p, target, smoothing);
  check_shape("output_loss: dx", dx, x.extent);
  check_output_gradients<Dev>(dp, p);
  run<Real>(dev, loss, dx, dp, x, p, target, smoothing);
}

template LossRows<float> loss_rows;
template LossRows<double> loss_rows;
template OutputLoss<Cuda<float>> output_loss;
template OutputLoss<Cuda<double>> output_loss;
template OutputLossValue<Cuda<float>> output_loss_value;
template OutputLossValue<Cuda<double>> output_loss_value;

}  // namespace gradus
