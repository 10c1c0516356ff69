#include "02_positional_encoding/embed.hpp"

#include <algorithm>

#include "02_positional_encoding/cpu/position_cpu.hpp"
#include "gradus/random/dropout_cpu.hpp"

namespace gradus {
namespace {

/// One row of dropout factors; all ones without dropout, so that one loop serves both cases.
template <class Real>
struct Mask {
  DropoutDraw draw;
  View<Real, 1, Host> row;  // (D, rounded up)

  Mask(Cpu<Real>& dev, const Dropout& dropout, std::size_t D)
      : draw(dropout, dev.state), row(dev.scratch.vector(dropout_row_room(D))) {
    check_rate(dropout);
    std::fill_n(row.data, row.extent[0], Real(1));
  }
  const Real* of(std::size_t n, std::size_t D) const {
    if (draw.active()) dropout_row(row.data, D, draw, n);
    return row.data;
  }
};

}  // namespace

template <class Real, class Dev>
void embed_forward(Cpu<Real>& dev, Out<Dev, 2> y, Ints<Dev, 1> ids, const Segments<Dev>& sentences,
                   Ints<Dev, 1> first, In<Dev, 2> table, In<Dev, 2> positions, const EmbedOptions& options) {
  check_lookup<Dev>(y, ids, table);
  check_position<Dev>(y, y, sentences, first, positions);
  const std::size_t N = y.extent[0], D = y.extent[1];
  const Real scale = static_cast<Real>(options.lookup.scale);
  Scratch scope(dev);
  const Mask<Real> mask(dev, options.dropout, D);
  const View<std::int32_t, 1, Host> position = row_positions(dev, sentences, first);  // (N)
  Real* const zeros = dev.scratch.vector(D).data;  // the vector for a padding id and for a row of no sentence
  std::fill_n(zeros, D, Real(0));
  for (std::size_t n = 0; n < N; ++n) {
    const Real* const word = ids[n] == options.lookup.padding ? zeros : table.row(static_cast<std::size_t>(ids[n]));
    const Real* const place = position[n] < 0 ? zeros : positions.row(static_cast<std::size_t>(position[n]));
    const Real* const m = mask.of(n, D);
    Real* const out = y.row(n);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) out[d] = m[d] * (scale * word[d] + place[d]);
  }
}

template <class Real, class Dev>
void embed_backward(Cpu<Real>& dev, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                    const EmbedOptions& options) {
  check_lookup<Dev>(dy, ids, dtable);
  const std::size_t N = dy.extent[0], D = dy.extent[1];
  const Real scale = static_cast<Real>(options.lookup.scale);
  Scratch scope(dev);
  const Mask<Real> mask(dev, options.dropout, D);
  for (std::size_t n = 0; n < N; ++n) {
    if (ids[n] == options.lookup.padding) continue;
    const Real* const m = mask.of(n, D);
    Real* const dword = dtable.row(static_cast<std::size_t>(ids[n]));
    const Real* const g = dy.row(n);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) dword[d] += scale * (m[d] * g[d]);
  }
}

template EmbedForward<Cpu<float>> embed_forward;
template EmbedForward<Cpu<double>> embed_forward;
template EmbedBackward<Cpu<float>> embed_backward;
template EmbedBackward<Cpu<double>> embed_backward;

}  // namespace gradus
