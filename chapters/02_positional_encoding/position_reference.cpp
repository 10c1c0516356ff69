#include "02_positional_encoding/position.hpp"

#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// (N, D): the encoding of each row's position; 0 for rows of no sentence.
template <class Real>
Array<Real> encodings(const BasicSegments<Host>& sentences, View<const std::int32_t, 1, Host> first,
                      const Array<Real>& positions) {
  const std::size_t D = positions.shape(1);
  Array<Real> e = xt::zeros<Real>({sentences.rows, D});
  for (std::size_t b = 0; b < sentences.sentences(); ++b) {
    for (std::int64_t j = 0; j < sentences.length[b]; ++j) {
      const auto n = static_cast<std::size_t>(sentences.begin[b] + j);
      const auto p = static_cast<std::size_t>(first_position(first, b) + j);
      for (std::size_t d = 0; d < D; ++d) e(n, d) = positions(p, d);
    }
  }
  return e;
}

}  // namespace

template <class Real, class Dev>
void position_forward(Reference<Real>&, Out<Dev, 2> y, In<Dev, 2> x, const Segments<Dev>& sentences,
                      Ints<Dev, 1> first, In<Dev, 2> positions) {
  check_position<Dev>(y, x, sentences, first, positions);
  // exercise: begin
  store<Real>(y, array(x) + encodings<Real>(sentences, first, array(positions)));  // eq:2.2
  // exercise: end
}

template <class Real, class Dev>
void position_backward(Reference<Real>&, Out<Dev, 2> dx, In<Dev, 2> dy) {
  check_shape("position: dx", dx, dy.extent);
  // exercise: begin
  store<Real>(dx, array(dy));  // eq:2.5
  // exercise: end
}

template PositionForward<Reference<double>> position_forward;
template PositionForward<Reference<Dual>> position_forward;
template PositionBackward<Reference<double>> position_backward;

}  // namespace gradus
