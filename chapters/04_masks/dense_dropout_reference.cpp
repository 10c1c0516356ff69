#include "04_masks/dense.hpp"
#include "04_masks/dense_dropout.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// m of one head of one sentence, (T, S).
template <class Real>
Array<Real> factors(const DropoutDraw& draw, const BasicPacking<Host>& packing, std::size_t b, std::size_t H,
                    std::size_t h) {
  const std::int32_t *const row = packing.query_row.row(b), *const position = packing.key_position.row(b);
  const std::size_t T = packing.query_row.extent[1], S = packing.key_position.extent[1];
  Array<Real> m = xt::ones<Real>({T, S});
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t s = 0; s < S; ++s) {
      if (row[t] < 0 || position[s] < 0) continue;  // padding
      m(t, s) = Real(draw.factor(static_cast<std::size_t>(row[t]), static_cast<std::size_t>(position[s]), H, h));
    }
  }
  return m;
}

template <class Dev>
void drop(Dev& dev, Out<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing, const Dropout& dropout) {
  using Real = typename Dev::Real;
  check_dense_dropout<Dev>(y, x, packing, dropout);
  const DropoutDraw draw(dropout, dev.state);
  for (std::size_t b = 0; b < x.extent[0]; ++b) {
    for (std::size_t h = 0; h < x.extent[1]; ++h) {
      const Array<Real> m = factors<Real>(draw, packing, b, x.extent[1], h);
      store<Real>(scores_of(y, b, h), m * array(scores_of(x, b, h)));  // eq:4.4
    }
  }
}

}  // namespace

template <class Real, class Dev>
void dense_dropout_forward(Reference<Real>& dev, Out<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing,
                           const Dropout& dropout) {
  drop(dev, y, x, packing, dropout);
}
template <class Real, class Dev>
void dense_dropout_backward(Reference<Real>& dev, Out<Dev, 4> dx, In<Dev, 4> dy, const Packing<Dev>& packing,
                            const Dropout& dropout) {
  drop(dev, dx, dy, packing, dropout);
}

template DenseDropoutForward<Reference<double>> dense_dropout_forward;
template DenseDropoutForward<Reference<Dual>> dense_dropout_forward;
template DenseDropoutBackward<Reference<double>> dense_dropout_backward;

}  // namespace gradus
