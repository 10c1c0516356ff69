#include "03_attention/cuda/attention_cuda.hpp"
#include "03_attention/cuda/attention_naive_cuda.hpp"
#include "gradus/kernels/version.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256;

/// The element that a thread computes. Blocks with the same blockIdx.x compute one table: one head of one sentence.
struct Place {
  std::size_t row, column;
};
__device__ Place place(std::size_t columns) {
  const std::size_t i = gpu::block_y() * threads + threadIdx.x;
  return {i / columns, i % columns};
}
template <class Real>
gpu::Grid grid_for(const AttentionWork<Real>& work, std::size_t rows, std::size_t columns) {
  return {gpu::blocks_xy(gpu::blocks_for(work.items, 1), gpu::blocks_for(rows * columns, threads)), threads};
}

template <class Real>
__device__ Real dot(const Real* a, const Real* b, std::size_t n) {
  Real sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// table = scale a b^T, one thread for each element; 0 for hidden keys. a has a row for each query, b for each key.
template <class Real>
__global__ void scores_kernel(View<Real, 2, Gpu> table, View<const Real, 2, Gpu> a, View<const Real, 2, Gpu> b,
                              Real scale, BasicSegments<Gpu> queries, BasicSegments<Gpu> keys,
                              AttentionWork<Real> work) {
  // exercise: begin
  if (blockIdx.x >= work.items || keys.longest == 0) return;
  const HeadBlock at = work.block(queries, keys, blockIdx.x);
  const auto [t, s] = place(keys.longest);
  if (t >= at.query.count) return;
  const bool is_visible = s < visible_keys(t, at.query.count, at.key.count, work.causal != 0);
  weights_part(table, at, work.heads).row(t)[s] =
      is_visible ? scale * dot(head_part(a, at.query, at).row(t), head_part(b, at.key, at).row(s), work.Dk)
                 : Real(0);
  // exercise: end
}

/// One thread for each query: p = softmax of its row, in place, and dropped = m p.
template <class Real>
__global__ void softmax_kernel(View<Real, 2, Gpu> weights, View<Real, 2, Gpu> dropped, BasicSegments<Gpu> queries,
                               BasicSegments<Gpu> keys, AttentionWork<Real> work) {
  // exercise: begin
  const std::size_t t = gpu::block_y() * threads + threadIdx.x;
  if (blockIdx.x >= work.items) return;
  const HeadBlock b = work.block(queries, keys, blockIdx.x);
  if (t >= b.query.count) return;
  Real* const p = weights_part(weights, b, work.heads).row(t);
  Real* const to = weights_part(dropped, b, work.heads).row(t);
  const std::size_t visible = visible_keys(t, b.query.count, b.key.count, work.causal != 0);
  const DropoutDraw draw = work.dropout.draw();
  Real largest = std::numeric_limits<Real>::lowest(), sum = 0;
  for (std::size_t s = 0; s < visible; ++s) largest = p[s] > largest ? p[s] : largest;
  for (std::size_t s = 0; s < visible; ++s) sum += p[s] = exp(p[s] - largest);
  for (std::size_t first = 0; first < visible; first += 4) {
    const auto m = draw.factors<Real>(b.query.first + t, first / 4, work.heads, b.head);
    for (std::size_t i = 0, s = first; i < 4 && s < visible; ++i, ++s) {
      p[s] /= sum;
      to[s] = m[i] * p[s];
    }
  }
  // exercise: end
}

/// One thread for each query: ds = p (dp - sum of p dp) in place of dy v^T, and dropped = m p.
template <class Real>
__global__ void softmax_backward_kernel(View<Real, 2, Gpu> ds_table, View<Real, 2, Gpu> dropped,
                                        View<const Real, 2, Gpu> weights, BasicSegments<Gpu> queries,
                                        BasicSegments<Gpu> keys, AttentionWork<Real> work) {
  const std::size_t t = gpu::block_y() * threads + threadIdx.x;
  if (blockIdx.x >= work.items) return;
  const HeadBlock b = work.block(queries, keys, blockIdx.x);
  if (t >= b.query.count) return;
  const Real* const p = weights_part(weights, b, work.heads).row(t);
  Real *const ds = weights_part(ds_table, b, work.heads).row(t), *const to =
                                                                     weights_part(dropped, b, work.heads).row(t);
  const DropoutDraw draw = work.dropout.draw();
  Real sum = 0;
  for (std::size_t first = 0; first < b.key.count; first += 4) {
    const auto m = draw.factors<Real>(b.query.first + t, first / 4, work.heads, b.head);
    for (std::size_t i = 0, s = first; i < 4 && s < b.key.count; ++i, ++s) {
      ds[s] *= m[i];  // dp
      to[s] = m[i] * p[s];
      sum += p[s] * ds[s];
    }
  }
  for (std::size_t s = 0; s < b.key.count; ++s) ds[s] = p[s] * (ds[s] - sum);
}

/// to = scale table x, one row for each query, one thread for each element.
template <class Real>
__global__ void times_keys_kernel(View<Real, 2, Gpu> to, View<const Real, 2, Gpu> table, View<const Real, 2, Gpu> x,
                                  Real scale, BasicSegments<Gpu> queries, BasicSegments<Gpu> keys,
                                  AttentionWork<Real> work) {
  // exercise: begin
  if (blockIdx.x >= work.items) return;
  const HeadBlock b = work.block(queries, keys, blockIdx.x);
  const auto [t, d] = place(work.Dk);
  if (t >= b.query.count) return;
  const Real* const c = weights_part(table, b, work.heads).row(t);
  const auto rows = head_part(x, b.key, b);
  const std::size_t visible = visible_keys(t, b.query.count, b.key.count, work.causal != 0);
  Real sum = 0;
  for (std::size_t s = 0; s < visible; ++s) sum += c[s] * rows.row(s)[d];
  head_part(to, b.query, b).row(t)[d] = scale * sum;
  // exercise: end
}

/// to = scale table^T x, one row for each key, one thread for each element.
template <class Real>
__global__ void times_queries_kernel(View<Real, 2, Gpu> to, View<const Real, 2, Gpu> table,
                                     View<const Real, 2, Gpu> x, Real scale, BasicSegments<Gpu> queries,
                                     BasicSegments<Gpu> keys, AttentionWork<Real> work) {
  if (blockIdx.x >= work.items) return;
  const HeadBlock b = work.block(queries, keys, blockIdx.x);
  const auto [s, d] = place(work.Dk);
  if (s >= b.key.count) return;
  const auto c = weights_part(table, b, work.heads);
  const auto rows = head_part(x, b.query, b);
  Real sum = 0;
  for (std::size_t t = 0; t < b.query.count; ++t) {
    const bool is_visible = s < visible_keys(t, b.query.count, b.key.count, work.causal != 0);
    if (is_visible) sum += c.row(t)[s] * rows.row(t)[d];
  }
  head_part(to, b.key, b).row(s)[d] = scale * sum;
}

}  // namespace

template <class Real, class Dev>
void naive_attention_forward(Cuda<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache,
                             const AttentionInput<Dev>& x, const AttentionOptions& options) {
  check_attention<Dev>(y, x, options);
  const auto work = attention_work(dev, x.queries, x.q.extent[1], options);
  const std::size_t T = x.queries.longest, S = x.keys.longest;
  cache.weights = dev.kept.matrix(x.queries.rows * options.heads, S);
  Scratch<Cuda<Real>> scope(dev);
  const auto dropped = dev.scratch.matrix(x.queries.rows * options.heads, S);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  gpu::launch(scores_kernel<Real>, grid_for(work, T, S), cache.weights, x.q, x.k, work.scale[0], x.queries, x.keys,
              work);
  gpu::launch(softmax_kernel<Real>, grid_for(work, T, 1), cache.weights, dropped, x.queries, x.keys, work);
  gpu::launch(times_keys_kernel<Real>, grid_for(work, T, work.Dk), y, dropped, x.v, Real(1), x.queries, x.keys,
              work);
}

template <class Real, class Dev>
void naive_attention_backward(Cuda<Real>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                              const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                              const AttentionOptions& options) {
  check_attention_gradients<Dev>(dx, dy, x, cache, options);
  const auto work = attention_work(dev, x.queries, x.q.extent[1], options);
  const std::size_t T = x.queries.longest, S = x.keys.longest;
  const Real scale = work.scale[0];
  Scratch<Cuda<Real>> scope(dev);
  const auto ds = dev.scratch.matrix(x.queries.rows * options.heads, S);
  const auto dropped = dev.scratch.matrix(x.queries.rows * options.heads, S);
  fill(dev, dx.q, 0);  // not in a loop over {dx.q, ...}: nvcc 13 makes code of it that g++ refuses
  fill(dev, dx.k, 0);
  fill(dev, dx.v, 0);
  gpu::launch(scores_kernel<Real>, grid_for(work, T, S), ds, dy, x.v, Real(1), x.queries, x.keys, work);
  gpu::launch(softmax_backward_kernel<Real>, grid_for(work, T, 1), ds, dropped, cache.weights, x.queries, x.keys,
              work);
  gpu::launch(times_keys_kernel<Real>, grid_for(work, T, work.Dk), dx.q, ds, x.k, scale, x.queries, x.keys, work);
  gpu::launch(times_queries_kernel<Real>, grid_for(work, S, work.Dk), dx.k, ds, x.q, scale, x.queries, x.keys,
              work);
  gpu::launch(times_queries_kernel<Real>, grid_for(work, S, work.Dk), dx.v, dropped, dy, Real(1), x.queries, x.keys,
              work);
}

template AttentionForward<Cuda<float>> naive_attention_forward;
template AttentionForward<Cuda<double>> naive_attention_forward;
template AttentionBackward<Cuda<float>> naive_attention_backward;
template AttentionBackward<Cuda<double>> naive_attention_backward;

namespace {
const KernelVersion in_float("naive", naive_attention_forward<float>, naive_attention_backward<float>);
const KernelVersion in_double("naive", naive_attention_forward<double>, naive_attention_backward<double>);
}  // namespace

}  // namespace gradus
