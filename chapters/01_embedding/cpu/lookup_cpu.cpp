#include "01_embedding/lookup.hpp"

#include <algorithm>

namespace gradus {

template <class Real, class Dev>
void lookup_forward(Cpu<Real>&, Out<Dev, 2> y, Ints<Dev, 1> ids, In<Dev, 2> table, const LookupOptions& options) {
  check_lookup<Dev>(y, ids, table);
  // exercise: begin
  const std::size_t N = y.extent[0], D = y.extent[1];
  const Real scale = static_cast<Real>(options.scale);
  for (std::size_t n = 0; n < N; ++n) {
    Real* const out = y.row(n);
    if (ids[n] == options.padding) {
      std::fill_n(out, D, Real(0));
      continue;
    }
    const Real* const word = table.row(static_cast<std::size_t>(ids[n]));
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) out[d] = scale * word[d];
  }
  // exercise: end
}

template <class Real, class Dev>
void lookup_backward(Cpu<Real>&, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                     const LookupOptions& options) {
  check_lookup<Dev>(dy, ids, dtable);
  // exercise: begin
  const std::size_t N = dy.extent[0], D = dy.extent[1];
  const Real scale = static_cast<Real>(options.scale);
  for (std::size_t n = 0; n < N; ++n) {
    if (ids[n] == options.padding) continue;
    Real* const dword = dtable.row(static_cast<std::size_t>(ids[n]));
    const Real* const g = dy.row(n);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) dword[d] += scale * g[d];
  }
  // exercise: end
}

template LookupForward<Cpu<float>> lookup_forward;
template LookupForward<Cpu<double>> lookup_forward;
template LookupBackward<Cpu<float>> lookup_backward;
template LookupBackward<Cpu<double>> lookup_backward;

}  // namespace gradus
