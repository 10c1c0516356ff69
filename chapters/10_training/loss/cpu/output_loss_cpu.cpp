#include <algorithm>
#include <cmath>
#include <type_traits>

#include "09_transformer/output_top_k.hpp"
#include "10_training/loss/output_loss.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"
#include "gradus/ops/cpu/float_product_cpu.hpp"

namespace gradus {
namespace {

/// Rows whose logits exist at the same time: they stay in the cache. A multiple of the rows of a product's tile.
constexpr std::size_t chunk = 132;

template <class Real>
struct RowStatistics {
  Real largest, sum_of_exp, sum;
};

/// One pass for the maximum and the sum, one for the exponentials, which replace the logits: z becomes exp(z -
/// max).
template <class Real>
RowStatistics<Real> exponentiate(Real* z, std::size_t vocab) {
  Real largest = z[0], sum = 0;
#pragma omp simd reduction(max : largest) reduction(+ : sum)
  for (std::size_t v = 0; v < vocab; ++v) {
    largest = z[v] > largest ? z[v] : largest;
    sum += z[v];
  }
  // As many partial sums as a register has elements: one sum of thousands of words loses more.
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> partial{};
  std::size_t v = 0;
  for (; v + width <= vocab; v += width) {
    const Vector<Real> e = exp_of_elements<Real>(load(z + v) - largest);
    store<Real>(z + v, e);
    partial += e;
  }
  Real sum_of_exp = sum_of_elements<Real>(partial);
  for (; v < vocab; ++v) sum_of_exp += z[v] = fast_exp(z[v] - largest);
  return {largest, sum_of_exp, sum};
}

/// The loss of one row of logits; with `gradient`, the row becomes factor (softmax - q).
template <class Real>
Real row_loss(Real* z, std::size_t vocab, std::int32_t target, Real smoothing, Real factor, bool gradient) {
  check_target(target, vocab);
  if (target < 0) {
    if (gradient) std::fill_n(z, vocab, Real(0));
    return 0;
  }
  const Real of_target = z[target];
  const auto [largest, sum_of_exp, sum] = exponentiate(z, vocab);
  const Real mean = sum / static_cast<Real>(vocab);
  if (gradient) {
    const Real scale = factor / sum_of_exp, spread = factor * smoothing / static_cast<Real>(vocab);
#pragma omp simd
    for (std::size_t v = 0; v < vocab; ++v) z[v] = scale * z[v] - spread;
    z[target] -= factor * (1 - smoothing);
  }
  // the maximum is subtracted from every term, so that large logits cancel before the sum
  return std::log(sum_of_exp) - (1 - smoothing) * (of_target - largest) - smoothing * (mean - largest);
}

/// The logits of a chunk. A product of floats by tiles would copy the transposed table for each chunk, so it is copied once, in panels.
template <class Real>
struct Logits {
  using Dev = Cpu<Real>;

  Logits(Dev& dev, const OutputParams<Dev>& params, std::size_t rows) : p(params) {
    if constexpr (std::is_same_v<Real, float>) {
      if (tiles_beat_blas && rows >= chunk / 2) panels = output_panels(dev, dev.scratch, p);
    }
  }
  void operator()(Dev& dev, Out<Dev, 2> z, In<Dev, 2> x) const {
    if (!panels) return output_forward(dev, z, x, p);
    const auto [vocab, D] = p.table.extent;
    const std::size_t words = panels.extent[1] / D;
    for (std::size_t i = 0; i < panels.extent[0]; ++i) {
      const std::size_t first = i * words, count = std::min(words, vocab - first);
      gemm(dev, columns(z, first, count), x, In<Dev, 2>{panels.row(i), {D, count}, words});
    }
    add_output_bias(dev, z, p);
  }

  const OutputParams<Dev>& p;
  In<Dev, 2> panels;
};

/// Both functions: chunk by chunk, with the gradient if the caller gives room for it.
template <class Real>
void run(Cpu<Real>& dev, View<Real, 1, Host> loss, View<Real, 2, Host> dx, const BasicOutputParams<Real, Host>& dp,
         View<const Real, 2, Host> x, const BasicOutputParams<Real, Host>& p,
         View<const std::int32_t, 1, Host> target, double smoothing) {
  const std::size_t N = x.extent[0], vocab = p.table.extent[0];
  const auto factor = static_cast<Real>(dev.state.inverse_tokens);
  Scratch scope(dev);
  const auto logits = dev.scratch.matrix(std::min(chunk, N), vocab);
  const Logits<Real> logits_of(dev, p, N);
  double sum = 0;
  for (std::size_t first = 0; first < N; first += chunk) {
    const std::size_t count = std::min(chunk, N - first);
    const auto z = rows(logits, 0, count);
    logits_of(dev, z, rows(x, first, count));
    for (std::size_t n = 0; n < count; ++n) {
      sum += row_loss(z.row(n), vocab, target[first + n], static_cast<Real>(smoothing), factor, bool(dx));
    }
    if (!dx) continue;
    output_backward(dev, rows(dx, first, count), dp, z, rows(x, first, count), p);  // eq:10.3
  }
  loss[0] += static_cast<Real>(dev.state.inverse_tokens * sum);
}

}  // namespace

template <class Real, class Dev>
void output_loss_value(Cpu<Real>& dev, Acc<Dev, 1> loss, In<Dev, 2> x, const OutputParams<Dev>& p,
                       Ints<Dev, 1> target, double smoothing) {
  check_output_loss<Dev>(loss, x, p, target, smoothing);
  run<Real>(dev, loss, {}, {}, x, p, target, smoothing);
}

template <class Real, class Dev>
void output_loss(Cpu<Real>& dev, Acc<Dev, 1> loss, Out<Dev, 2> dx, const OutputParams<Dev>& dp, In<Dev, 2> x,
                 const OutputParams<Dev>& p, Ints<Dev, 1> target, double smoothing) {
  check_output_loss<Dev>(loss, x, p, target, smoothing);
  check_shape("output_loss: dx", dx, x.extent);
  check_output_gradients<Dev>(dp, p);
  run<Real>(dev, loss, dx, dp, x, p, target, smoothing);
}

template OutputLoss<Cpu<float>> output_loss;
template OutputLoss<Cpu<double>> output_loss;
template OutputLossValue<Cpu<float>> output_loss_value;
template OutputLossValue<Cpu<double>> output_loss_value;

}  // namespace gradus
