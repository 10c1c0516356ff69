#include <algorithm>

#include "10_training/optimiser/optimiser.hpp"
#include "gradus/device/cuda.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256, most_blocks = 1024;

/// Blocks for n elements, one element for each thread; beyond most_blocks a thread takes several.
gpu::Grid grid_for(std::size_t n) { return {std::min(most_blocks, gpu::blocks_for(n, threads)), threads}; }

/// Calls f(i) for the elements i of a thread: neighbouring threads take neighbouring elements.
template <class F>
__device__ void each_own(std::size_t n, F&& f) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

/// One number for each block: the sum of its threads' squares. They add in double, because in float a sum of
/// millions of squares would stop growing.
template <class Real>
__global__ void squares_kernel(View<Real, 1, Gpu> of_block, View<const Real, 1, Gpu> g) {
  double sum = 0;
  each_own(g.extent[0], [&](std::size_t i) { sum += static_cast<double>(g[i]) * static_cast<double>(g[i]); });
  sum = gpu::block_sum(sum);
  if (threadIdx.x == 0) of_block[blockIdx.x] = static_cast<Real>(sum);
}

/// One block: sum += the numbers of all blocks. The order of additions depends on their number alone.
template <class Real>
__global__ void add_blocks_kernel(View<Real, 1, Gpu> to, View<const Real, 1, Gpu> of_block) {
  double sum = 0;
  each_own(of_block.extent[0], [&](std::size_t i) { sum += of_block[i]; });
  sum = gpu::block_sum(sum);
  if (threadIdx.x == 0) to[0] += static_cast<Real>(sum);
}

/// The options as a kernel argument. For sgd beta1 is the momentum, and beta2 is not read.
struct Rule {
  double beta1, beta2, epsilon, clip, coupled,
      decoupled;  ///< weight decay inside the gradient, and separate from it
  std::size_t decaying;

  Rule(double b1, double b2, double e, const UpdateOptions& o)
      : beta1(b1),
        beta2(b2),
        epsilon(e),
        clip(o.clip),
        coupled(o.decay == Decay::decoupled ? 0 : o.weight_decay),
        decoupled(o.decay == Decay::decoupled ? o.weight_decay : 0),
        decaying(o.decaying) {}
};

/// The numbers of one step, in the scalar of the elements.
template <class Real>
struct Step {
  /// factor of w in the gradient; factor of w itself, for decay separate from the gradient
  Real rate, clip, coupled, shrink;
  Real b1, c1, b2, c2, m_factor, v_factor;  ///< beta, 1 - beta, and the bias corrections
};

/// The block's first thread computes them for all: powers and roots in double would take each thread longer than
/// its elements. The others wait at the barrier, and then read shared memory.
template <class Real>
__device__ const Step<Real>& step_of_block(const Rule& rule, double squared_norm, const StepState& state) {
  Step<Real>* const step = gpu::shared<Rule, Step<Real>, 1>();
  if (threadIdx.x == 0) {
    const double norm = sqrt(squared_norm), rate = state.learning_rate, t = state.step;
    step->rate = static_cast<Real>(rate);
    step->clip = static_cast<Real>(rule.clip > 0 && norm > rule.clip ? rule.clip / norm : 1);
    step->coupled = static_cast<Real>(rule.coupled);
    step->shrink = static_cast<Real>(1 - rate * rule.decoupled);
    step->b1 = static_cast<Real>(rule.beta1);
    step->c1 = static_cast<Real>(1 - rule.beta1);  // before rounding: in float 1 - 0.999 has an error of 1e-5
    step->b2 = static_cast<Real>(rule.beta2);
    step->c2 = static_cast<Real>(1 - rule.beta2);
    step->m_factor = static_cast<Real>(1 / (1 - pow(rule.beta1, t)));
    step->v_factor = static_cast<Real>(1 / (1 - pow(rule.beta2, t)));
  }
  __syncthreads();
  return *step;
}

/// The first part of every block. If the norm is not finite, the grid's first thread records the step, and all
/// blocks stop; the others do not read what it writes. All blocks also stop if an earlier step was recorded.
template <class Real>
__device__ bool may_go_on(View<std::int32_t, 1, Gpu> status, Real squared_norm, const StepState& state) {
  if (is_sound(squared_norm)) return status[0] == 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) status[0] = status_after(status[0], state.step, squared_norm);
  return false;
}

template <class Real>
__global__ void adam_kernel(View<Real, 1, Gpu> w, View<Real, 1, Gpu> m, View<Real, 1, Gpu> v,
                            View<std::int32_t, 1, Gpu> status, View<const Real, 1, Gpu> g,
                            View<const Real, 1, Gpu> squared_norm, Rule rule, const StepState* state) {
  if (!may_go_on(status, squared_norm[0], *state)) return;  // the same for all threads, before any barrier
  const Step<Real> step = step_of_block<Real>(rule, squared_norm[0], *state);
  const Real epsilon = static_cast<Real>(rule.epsilon);
  each_own(w.extent[0], [&](std::size_t i) {
    const bool decays = i < rule.decaying;
    const Real gi = step.clip * g[i] + (decays ? step.coupled : 0) * w[i];  // eq:10.7
    const Real mi = m[i] = step.b1 * m[i] + step.c1 * gi;                   // eq:10.5
    const Real vi = v[i] = step.b2 * v[i] + step.c2 * gi * gi;
    w[i] = (decays ? step.shrink : 1) * w[i] -
           step.rate * (mi * step.m_factor / (sqrt(vi * step.v_factor) + epsilon));  // eq:10.6
  });
}

template <class Real>
__global__ void sgd_kernel(View<Real, 1, Gpu> w, View<Real, 1, Gpu> m, View<std::int32_t, 1, Gpu> status,
                           View<const Real, 1, Gpu> g, View<const Real, 1, Gpu> squared_norm, Rule rule,
                           const StepState* state) {
  if (!may_go_on(status, squared_norm[0], *state)) return;
  const Step<Real> step = step_of_block<Real>(rule, squared_norm[0], *state);
  each_own(w.extent[0], [&](std::size_t i) {
    const bool decays = i < rule.decaying;
    const Real mi = m[i] = step.b1 * m[i] + step.clip * g[i] + (decays ? step.coupled : 0) * w[i];
    w[i] = (decays ? step.shrink : 1) * w[i] - step.rate * mi;  // eq:10.4
  });
}

}  // namespace

template <class Real, class Dev>
void squared_norm(Cuda<Real>& dev, Acc<Dev, 1> sum, In<Dev, 1> g) {
  check_shape("squared_norm: sum", sum, {1});
  Scratch scope(dev);
  const gpu::Grid grid = grid_for(g.extent[0]);
  const auto of_block = dev.scratch.vector(grid.blocks.x);
  gpu::launch(squares_kernel<Real>, grid, of_block, g);
  gpu::launch(add_blocks_kernel<Real>, {1, threads}, sum, of_block);
}

template <class Real, class Dev>
void adam(Cuda<Real>& dev, Acc<Dev, 1> w, Acc<Dev, 1> m, Acc<Dev, 1> v, OutInts<Dev, 1> status, In<Dev, 1> g,
          In<Dev, 1> squared, const AdamOptions& o) {
  check_update<Dev>(w, m, v, status, g, squared, o.update);
  gpu::launch(adam_kernel<Real>, grid_for(w.extent[0]), w, m, v, status, g, squared,
              Rule(o.beta1, o.beta2, o.epsilon, o.update), dev.device_state());
}

template <class Real, class Dev>
void sgd(Cuda<Real>& dev, Acc<Dev, 1> w, Acc<Dev, 1> m, OutInts<Dev, 1> status, In<Dev, 1> g, In<Dev, 1> squared,
         const SgdOptions& o) {
  check_update<Dev>(w, m, {}, status, g, squared, o.update);
  gpu::launch(sgd_kernel<Real>, grid_for(w.extent[0]), w, m, status, g, squared, Rule(o.momentum, 0, 0, o.update),
              dev.device_state());
}

template SquaredNorm<Cuda<float>> squared_norm;
template SquaredNorm<Cuda<double>> squared_norm;
template Adam<Cuda<float>> adam;
template Adam<Cuda<double>> adam;
template Sgd<Cuda<float>> sgd;
template Sgd<Cuda<double>> sgd;

}  // namespace gradus
