#include "03_attention/cuda/attention_cuda.hpp"

#include <type_traits>

#include "03_attention/cuda/short_attention_cuda.hpp"

namespace gradus {
namespace {

/// One warp computes p (visible), the weights of one query over the keys it sees. Lane l has keys l, l + 32, ...
template <class Real>
__device__ void softmax_of_query(Real* p, const Real* q, const Real* k_turned, std::size_t ld, std::size_t Dk,
                                 Real scale, std::size_t visible) {
  const unsigned lane = threadIdx.x % 32;
  Real largest = std::numeric_limits<Real>::lowest(), sum = 0;
  for (std::size_t s = lane; s < visible; s += 32) {
    p[s] = scale * dot_column(q, k_turned, ld, Dk, s);  // eq:3.1
    largest = p[s] > largest ? p[s] : largest;
  }
  largest = gpu::warp_max(largest);
  for (std::size_t s = lane; s < visible; s += 32) {
    p[s] = exp(p[s] - largest);
    sum += p[s];
  }
  const Real inverse = 1 / gpu::warp_sum(sum);  // infinite without visible keys, and then not used
  for (std::size_t s = lane; s < visible; s += 32) p[s] *= inverse;  // eq:3.2
}

/// p = m p. One counter of Philox gives four words, so a lane computes four neighbouring keys.
template <class Real>
__device__ void drop(Real* p, const DropoutDraw& draw, std::size_t row, std::size_t heads, std::size_t head,
                     std::size_t visible) {
  for (std::size_t first = 4 * (threadIdx.x % 32); first < visible; first += 4 * 32) {
    const auto m = draw.factors<Real>(row, first / 4, heads, head);
    for (std::size_t i = 0; i < 4 && first + i < visible; ++i) p[first + i] *= m[i];
  }
}

/// One block for each head of a sentence, one warp for each query. All warps transpose the keys once; after that
/// barrier a warp waits only for its own lanes.
template <class Real>
__device__ void attend(const ForwardParts<Real>& x, const HeadBlock& b, const AttentionWork<Real>& work,
                       const DropoutDraw& draw, Real* memory) {
  const std::size_t T = b.query.count, S = b.key.count, ld = odd(S), warp = threadIdx.x / 32;
  Real *const k_turned = memory, *const p = memory + work.Dk * ld + warp * S;  // (Dk, ld), a row for each warp
  transpose(k_turned, ld, x.k);
  __syncthreads();
  for (std::size_t t = warp; t < T; t += attention_warps) {
    const std::size_t visible = visible_keys(t, T, S, work.causal != 0);
    __syncwarp();  // p may still be read for the query before
    softmax_of_query(p, x.q.row(t), k_turned, ld, work.Dk, work.scale[0], visible);
    for (std::size_t s = threadIdx.x % 32; s < x.weights.extent[1]; s += 32) {
      x.weights.row(t)[s] = s < visible ? p[s] : Real(0);
    }
    __syncwarp();  // from here on lanes read each other's weights
    if (draw.active()) drop(p, draw, b.query.first + t, work.heads, b.head, visible);
    __syncwarp();
    weighted_sum(x.y.row(t), Real(1), p, 1, x.v, visible);  // eq:3.3
  }
}

/// (Dk, ld) and a row of S for each warp.
struct ForwardTables {
  static constexpr std::size_t room(std::size_t Dk, std::size_t /*T*/, std::size_t S) {
    return Dk * odd(S) + attention_warps * S;
  }
};

/// How many blocks of forward must find registers on a multiprocessor side by side. A number in double takes two. With a workspace
/// each block also has 48 KiB of shared memory, so a smaller multiprocessor has no room for as many; registers for them would be in vain.
template <unsigned Dk, bool spills, class Real>
constexpr unsigned forward_side_by_side() {
  constexpr unsigned blocks = (Dk > 0 ? 2 : 4) * sizeof(float) / sizeof(Real);
  return spills ? std::min(blocks, gpu::blocks_side_by_side(gpu::plain_shared_bytes)) : blocks;
}

/// Dk is the width of the heads if warps alone compute short sentences, or else 0.
template <unsigned Dk, bool spills, class Real>
__global__ void __launch_bounds__(attention_threads, (forward_side_by_side<Dk, spills, Real>()))
    forward_kernel(View<Real, 2, Gpu> y, View<Real, 2, Gpu> weights, BasicAttentionInput<Real, Gpu> x,
                   AttentionWork<Real> work) {
  gpu::wait_for_earlier_work();
  if (blockIdx.x >= work.attending()) {
    return each_spare_row(x.queries, work.first_row(), [&](std::size_t n) {
      clear<Real>(rows(y, n, 1), rows(weights, n * work.heads, work.heads));
    });
  }
  const DropoutDraw draw = work.dropout.draw();
  const auto parts = [&](const HeadBlock& b) {
    return ForwardParts<Real>{head_part(y, b.query, b), weights_part(weights, b, work.heads),
                              head_part(x.q, b.query, b), head_part(x.k, b.key, b), head_part(x.v, b.key, b)};
  };
  if constexpr (Dk > 0) {
    if (blockIdx.x < work.short_blocks) {
      return short_item(work, x.queries, x.keys, [&](const HeadBlock& b) {
        const ForwardParts<Real> part = parts(b);
        if (!b.query.fits || !b.key.fits) return poison<Real>(0, 1, part.y, part.weights);
        with_share<Dk, Real>(b.key.count, [&](auto share) { attend_short<decltype(share)>(part, b, work, draw); });
      });
    }
  }
  each_long_item<ForwardTables, (Dk > 0), spills>(work, x.queries, x.keys, [&](const HeadBlock& b, Real* memory) {
    const ForwardParts<Real> part = parts(b);
    if (!b.query.fits || !b.key.fits) return poison_by_block<Real>(part.y, part.weights);
    attend(part, b, work, draw, memory);
  });
}

/// One warp computes the rows of m p and ds of one query. Keys that the query does not see get 0.
template <class Real>
__device__ void rows_of_query(Real* dropped, Real* ds, const Real* p, const Real* dy, const Real* v_turned,
                              std::size_t ld, std::size_t Dk, std::size_t visible, std::size_t S) {
  const unsigned lane = threadIdx.x % 32;
  Real sum = 0;
  for (std::size_t s = lane; s < visible; s += 32) {
    ds[s] = dropped[s] * dot_column(dy, v_turned, ld, Dk, s);  // dp, eq:3.8: `dropped` still holds m
    sum += p[s] * ds[s];
    dropped[s] *= p[s];
  }
  sum = gpu::warp_sum(sum);
  for (std::size_t s = lane; s < S; s += 32) {
    ds[s] = s < visible ? p[s] * (ds[s] - sum) : Real(0);  // eq:3.9
    if (s >= visible) dropped[s] = 0;
  }
}

/// First one warp for each query: the rows of m p and ds, and dq from them. Then one warp for each key, which reads
/// columns of both tables. A barrier separates the two, because a column crosses the rows of all warps.
template <class Real>
__device__ void attend_backward(const BackwardParts<Real>& x, const HeadBlock& b, const AttentionWork<Real>& work,
                                const DropoutDraw& draw, Real* memory) {
  const std::size_t T = b.query.count, S = b.key.count, ld = odd(S), warp = threadIdx.x / 32;
  Real *const v_turned = memory, *const dropped = memory + work.Dk * ld,
              *const ds = dropped + T * S;  // (T, S) twice
  const Real scale = work.scale[0];
  transpose(v_turned, ld, x.v);
  __syncthreads();
  for (std::size_t t = warp; t < T; t += attention_warps) {
    const std::size_t visible = visible_keys(t, T, S, work.causal != 0);
    for (std::size_t s = threadIdx.x % 32; s < visible; s += 32) dropped[t * S + s] = 1;
    __syncwarp();  // a lane draws for four keys, and three of them belong to other lanes
    if (draw.active()) drop(dropped + t * S, draw, b.query.first + t, work.heads, b.head, visible);
    __syncwarp();
    rows_of_query(dropped + t * S, ds + t * S, x.p.row(t), x.dy.row(t), v_turned, ld, work.Dk, visible, S);
    __syncwarp();
    weighted_sum(x.dq.row(t), scale, ds + t * S, 1, x.k, visible);  // eq:3.10
  }
  __syncthreads();
  for (std::size_t s = warp; s < S; s += attention_warps) {
    weighted_sum(x.dv.row(s), Real(1), dropped + s, S, x.dy, T);  // eq:3.7
    weighted_sum(x.dk.row(s), scale, ds + s, S, x.q, T);          // eq:3.11
  }
}

/// (Dk, ld), and (T, S) twice.
struct BackwardTables {
  static constexpr std::size_t room(std::size_t Dk, std::size_t T, std::size_t S) {
    return Dk * odd(S) + 2 * T * S;
  }
};

template <unsigned Dk, bool spills, class Real>
__global__ void backward_kernel(BasicAttentionGradients<Real, Gpu> dx, View<const Real, 2, Gpu> dy,
                                BasicAttentionInput<Real, Gpu> x, View<const Real, 2, Gpu> weights,
                                AttentionWork<Real> work) {
  gpu::wait_for_earlier_work();
  if (blockIdx.x >= work.attending()) {
    each_spare_row(x.queries, work.first_row(), [&](std::size_t n) { clear<Real>(rows(dx.q, n, 1)); });
    return each_spare_row(x.keys, work.first_row(),
                          [&](std::size_t n) { clear<Real>(rows(dx.k, n, 1), rows(dx.v, n, 1)); });
  }
  const DropoutDraw draw = work.dropout.draw();
  const auto parts = [&](const HeadBlock& b) {
    const auto of_query = [&](auto whole) { return head_part(whole, b.query, b); };
    const auto of_key = [&](auto whole) { return head_part(whole, b.key, b); };
    return BackwardParts<Real>{of_query(dx.q), of_key(dx.k), of_key(dx.v), of_query(dy),
                               of_query(x.q),  of_key(x.k),  of_key(x.v),  weights_part(weights, b, work.heads)};
  };
  if constexpr (Dk > 0) {
    if (blockIdx.x < work.short_blocks) {
      return short_item(work, x.queries, x.keys, [&](const HeadBlock& b) {
        const BackwardParts<Real> part = parts(b);
        if (!b.query.fits || !b.key.fits) return poison<Real>(0, 1, part.dq, part.dk, part.dv);
        with_share<Dk, Real>(b.key.count,
                             [&](auto share) { attend_short_backward<decltype(share)>(part, b, work, draw); });
      });
    }
  }
  each_long_item<BackwardTables, (Dk > 0), spills>(work, x.queries, x.keys, [&](const HeadBlock& b, Real* memory) {
    const BackwardParts<Real> part = parts(b);
    if (!b.query.fits || !b.key.fits) return poison_by_block<Real>(part.dq, part.dk, part.dv);
    attend_backward(part, b, work, draw, memory);
  });
}

/// The work of a launch: warps have the short sentences, if `has_short`, and blocks the others.
template <class Tables, class Real>
AttentionWork<Real> divided_work(Cuda<Real>& dev, const BasicAttentionInput<Real, Gpu>& x,
                                 const AttentionOptions& options, bool has_short) {
  constexpr std::size_t most_blocks = 256;  // about two for each multiprocessor of a large GPU
  AttentionWork<Real> work = attention_work(dev, x.queries, x.q.extent[1], options);
  if (has_short) {
    work.short_blocks = gpu::blocks_for(work.items, attention_warps);
    const std::size_t longest = std::max(x.queries.longest, x.keys.longest);
    work.general = longest <= most_short<Real> ? 0 : std::min(work.items, most_blocks);
  }
  if (work.general > 0) take_memory(dev, work, Tables::room(work.Dk, x.queries.longest, x.keys.longest));
  return work;
}

/// Calls f with the width of the heads as a constant, if warps shall compute the short sentences, or else with 0. Warps
/// read 16 bytes at a time, so rows must begin at a multiple of 16. And they need many registers, so fewer blocks run
/// side by side: if sentences have more than `most_short` keys on average, blocks compute them all.
template <class Real, class F, class... Views>
void with_short_width(const BasicAttentionInput<Real, Gpu>& x, std::size_t Dk, const F& f, Views... read_by_16) {
  const bool has_short =
      x.keys.rows <= most_short<Real> * x.keys.sentences() && (gpu::has_aligned_rows<Real>(read_by_16) && ...);
  if (has_short && Dk == 16) return f(std::integral_constant<unsigned, 16>{});
  if (has_short && Dk == 32) return f(std::integral_constant<unsigned, 32>{});
  f(std::integral_constant<unsigned, 0>{});
}

}  // namespace

template <class Real, class Dev>
void attention_forward(Cuda<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, const AttentionInput<Dev>& x,
                       const AttentionOptions& options) {
  check_attention<Dev>(y, x, options);
  cache.weights = dev.kept.matrix(x.queries.rows * options.heads, x.keys.longest);
  Scratch<Cuda<Real>> scope(dev);
  const auto run = [&](auto Dk) {
    const auto work = divided_work<ForwardTables>(dev, x, options, Dk > 0);
    const auto kernel = work.spilling == 0 ? forward_kernel<Dk, false, Real> : forward_kernel<Dk, true, Real>;
    launch_attention(kernel, work, x.queries.rows, y, cache.weights, x);
  };
  with_short_width(x, x.q.extent[1] / options.heads, run, x.q, x.k);
}

template <class Real, class Dev>
void attention_backward(Cuda<Real>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                        const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  check_attention_gradients<Dev>(dx, dy, x, cache, options);
  Scratch<Cuda<Real>> scope(dev);
  const auto run = [&](auto Dk) {
    const auto work = divided_work<BackwardTables>(dev, x, options, Dk > 0);
    const auto kernel = work.spilling == 0 ? backward_kernel<Dk, false, Real> : backward_kernel<Dk, true, Real>;
    launch_attention(kernel, work, std::max(x.queries.rows, x.keys.rows), dx, dy, x, cache.weights);
  };
  with_short_width(x, x.q.extent[1] / options.heads, run, x.v, dy);
}

template AttentionForward<Cuda<float>> attention_forward;
template AttentionForward<Cuda<double>> attention_forward;
template AttentionBackward<Cuda<float>> attention_backward;
template AttentionBackward<Cuda<double>> attention_backward;

}  // namespace gradus
