#pragma once
/// \file
/// Attention of short sentences: one warp for one head of one sentence. It keeps the head's keys and values in
/// registers, and its lanes exchange numbers by shuffles. It needs no shared memory and never waits for another warp.

#include "03_attention/cuda/attention_cuda.hpp"
#include "gradus/kernels/quad.hpp"

namespace gradus {

/// How a warp shares the work. For scores a lane is a key: `keys` lanes, 16 or 32, compute those of one query, so the
/// warp takes 32 / keys queries at a time. For sums a lane is one of Dk columns.
template <unsigned most_keys, unsigned width>
struct Share {
  static_assert(32 % most_keys == 0 && width % 8 == 0 && width <= 32);
  static constexpr unsigned keys = most_keys, Dk = width, queries = 32 / keys;

  __device__ static unsigned query() { return threadIdx.x % 32 / keys; }
  __device__ static unsigned key() { return threadIdx.x % keys; }
  __device__ static unsigned column() { return threadIdx.x % 32; }
};

/// What a lane keeps. A GPU cannot index registers. But all loops over these arrays have constant bounds: the compiler
/// unrolls them, and each element becomes a register.
template <class Real, class Of>
struct KeyRow {
  Real at[Of::Dk];  ///< the row of the lane's key
};
template <class Real, class Of>
struct KeyColumn {
  Real at[Of::keys];  ///< the lane's column in the rows of all keys
};

/// Lanes 2 i and 2 i + 1 have a row each of a matrix of 2 x 2 quads, and turn the matrix: rows become columns.
template <class Real>
__device__ void turn(gpu::Quad<Real>& first, gpu::Quad<Real>& second) {
  const bool is_odd = threadIdx.x % 2 == 1;
  for (unsigned e = 0; e < 4; ++e) {
    const Real got = __shfl_xor_sync(gpu::all_lanes, is_odd ? first[e] : second[e], 1);
    if (is_odd)
      first[e] = got;
    else
      second[e] = got;
  }
}

/// The row of the lane's key; 0 if there is no such key. A GPU reads memory in sectors of 32 bytes, and a lane reads 16.
/// So two lanes read one row together, both halves of a sector, then the other lane's row, and exchange the halves.
template <class Of, class Real>
__device__ KeyRow<Real, Of> load_row(View<const Real, 2, Gpu> x) {
  const unsigned even = Of::key() / 2 * 2, half = threadIdx.x % 2 * 4;
  const auto quad = [&](unsigned s, unsigned d) {
    return s < x.extent[0] ? gpu::load_aligned_quad(x.row(s) + d + half) : gpu::Quad<Real>{};
  };
  KeyRow<Real, Of> row;
  for (unsigned d = 0; d < Of::Dk; d += 8) {
    gpu::Quad<Real> low = quad(even, d), high = quad(even + 1, d);
    turn(low, high);
    for (unsigned e = 0; e < 4; ++e) row.at[d + e] = low[e], row.at[d + 4 + e] = high[e];
  }
  return row;
}

/// The lane's column of x, which has a row for each key; 0 for keys that do not exist.
template <class Of, class Real>
__device__ KeyColumn<Real, Of> load_column(View<const Real, 2, Gpu> x) {
  KeyColumn<Real, Of> column;
  for (unsigned s = 0; s < Of::keys; ++s) {
    column.at[s] = s < x.extent[0] && Of::column() < Of::Dk ? x.row(s)[Of::column()] : Real(0);
  }
  return column;
}

/// x (Dk) times the row of the lane's key. All lanes of a query read the same four numbers of x. Four sums run side by
/// side, so an addition need not wait for the one before.
template <class Of, class Real>
__device__ Real dot_row(const Real* x, const KeyRow<Real, Of>& row) {
  gpu::Quad<Real> sum{};
  for (unsigned d = 0; d < Of::Dk; d += 4) {
    const gpu::Quad<Real> four = gpu::load_aligned_quad(x + d);
    for (unsigned e = 0; e < 4; ++e) sum[e] += four[e] * row.at[d + e];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// The value that the lane of query `query` of the warp and of key s has.
template <class Of, class Real>
__device__ Real of_key(Real value, unsigned query, unsigned s) {
  return __shfl_sync(gpu::all_lanes, value, static_cast<int>(query * Of::keys + s));
}

/// The weight p of the lane's key for its query, which sees the first `visible` keys; 0 for the others.
template <class Of, class Real>
__device__ Real softmax_of_key(const Real* q, const KeyRow<Real, Of>& k, Real scale, std::size_t visible) {
  const bool is_visible = Of::key() < visible;
  const Real score = scale * dot_row<Of>(q, k);  // eq:3.1
  const Real largest = gpu::warp_max<Of::keys>(is_visible ? score : std::numeric_limits<Real>::lowest());
  const Real p = is_visible ? exp(score - largest) : Real(0);
  const Real sum = gpu::warp_sum<Of::keys>(p);
  return is_visible ? p / sum : Real(0);  // eq:3.2
}

/// The factor m of dropout of the lane's key. Four neighbouring lanes compute the same four words, and each takes its
/// own: lanes in lockstep lose no time by that.
template <class Of, class Real>
__device__ Real factor_of_key(const DropoutDraw& draw, std::size_t row, std::size_t heads, std::size_t head) {
  const auto four = draw.factors<Real>(row, Of::key() / 4, heads, head);
  const unsigned own = Of::key() % 4;  // four[own] would move the four from registers into memory
  return own < 2 ? (own == 0 ? four[0] : four[1]) : (own == 2 ? four[2] : four[3]);
}

/// A row of the saved weights (columns), with zeros behind the last key.
template <class Of, class Real>
__device__ void store_weights(Real* row, std::size_t columns, Real p) {
  for (std::size_t s = Of::key(); s < columns; s += Of::keys) row[s] = s < Of::keys ? p : Real(0);
}

/// y = the sum over the keys of weight times v. Each lane computes its column, and gets each weight from the lane of
/// the key.
template <class Of, class Real>
__device__ void store_output(Real* y, unsigned query, Real weight, const KeyColumn<Real, Of>& v) {
  Real sum = 0;
  for (unsigned s = 0; s < Of::keys; ++s) sum += of_key<Of>(weight, query, s) * v.at[s];  // eq:3.3
  if (Of::column() < Of::Dk) y[Of::column()] = sum;
}

/// One warp computes one head of one sentence. In the last round a query may not exist. Its lanes compute the last
/// one again, because they take part in the shuffles, and write nothing.
template <class Of, class Real>
__device__ void attend_short(const ForwardParts<Real>& x, const HeadBlock& b, const AttentionWork<Real>& work,
                             const DropoutDraw& draw) {
  const unsigned T = b.query.count, S = b.key.count;
  const KeyRow<Real, Of> k = load_row<Of>(x.k);
  const KeyColumn<Real, Of> v = load_column<Of>(x.v);
  for (unsigned first = 0; first < T; first += Of::queries) {
    const unsigned t = std::min(first + Of::query(), T - 1);
    const Real p = softmax_of_key<Of>(x.q.row(t), k, work.scale[0], visible_keys(t, T, S, work.causal != 0));
    const Real weight = p * factor_of_key<Of, Real>(draw, b.query.first + t, work.heads, b.head);
    if (first + Of::query() < T) store_weights<Of>(x.weights.row(t), x.weights.extent[1], p);
    for (unsigned query = 0; query < Of::queries && first + query < T; ++query) {
      store_output<Of>(x.y.row(first + query), query, weight, v);
    }
  }
}

/// What one query adds to all sums, and dq. dropped is m p of the lane's key.
template <class Of, class Real>
__device__ void add_query(const BackwardParts<Real>& x, unsigned t, unsigned query, Real dropped, Real ds,
                          Real scale, const KeyColumn<Real, Of>& k, KeyColumn<Real, Of>& dk,
                          KeyColumn<Real, Of>& dv) {
  const bool exists = Of::column() < Of::Dk;
  const Real dy = exists ? x.dy.row(t)[Of::column()] : Real(0);
  for (unsigned s = 0; s < Of::keys; ++s) dv.at[s] += of_key<Of>(dropped, query, s) * dy;  // eq:3.7
  const Real q = exists ? x.q.row(t)[Of::column()] : Real(0);
  Real dq = 0;
  for (unsigned s = 0; s < Of::keys; ++s) {
    const Real ds_s = of_key<Of>(ds, query, s);
    dq += ds_s * k.at[s];  // eq:3.10
    dk.at[s] += ds_s * q;  // eq:3.11
  }
  if (exists) x.dq.row(t)[Of::column()] = scale * dq;
}

template <class Of, class Real>
__device__ void store_column(View<Real, 2, Gpu> x, Real scale, const KeyColumn<Real, Of>& column) {
  for (unsigned s = 0; s < Of::keys; ++s) {
    if (s < x.extent[0] && Of::column() < Of::Dk) x.row(s)[Of::column()] = scale * column.at[s];
  }
}

/// The same for backward. A query that does not see a key has the weight 0 for it; then m p and ds are 0, too.
template <class Of, class Real>
__device__ void attend_short_backward(const BackwardParts<Real>& x, const HeadBlock& b,
                                      const AttentionWork<Real>& work, const DropoutDraw& draw) {
  const unsigned T = b.query.count, S = b.key.count;
  const KeyRow<Real, Of> v = load_row<Of>(x.v);
  const KeyColumn<Real, Of> k = load_column<Of>(x.k);
  KeyColumn<Real, Of> dk{}, dv{};
  for (unsigned first = 0; first < T; first += Of::queries) {
    const unsigned t = std::min(first + Of::query(), T - 1);
    const Real dot = dot_row<Of>(x.dy.row(t), v);
    const Real m = factor_of_key<Of, Real>(draw, b.query.first + t, work.heads, b.head);
    const bool is_visible = Of::key() < visible_keys(t, T, S, work.causal != 0);
    const Real p = is_visible ? x.p.row(t)[Of::key()] : Real(0), dp = m * dot;  // eq:3.8
    const Real ds = p * (dp - gpu::warp_sum<Of::keys>(p * dp));                 // eq:3.9
    for (unsigned query = 0; query < Of::queries && first + query < T; ++query) {
      add_query<Of>(x, first + query, query, m * p, ds, work.scale[0], k, dk, dv);
    }
  }
  store_column(x.dk, work.scale[0], dk);
  store_column(x.dv, Real(1), dv);
}

/// Calls f with the share for S keys.
template <unsigned Dk, class Real, class F>
__device__ void with_share(std::size_t S, const F& f) {
  if constexpr (16 < most_short<Real>) {
    if (S > 16) return f(Share<32, Dk>{});
  }
  f(Share<16, Dk>{});
}

}  // namespace gradus
