#include "02_positional_encoding/sinusoids.hpp"

#include <numeric>

#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// 0, 1, 2, ... in an array of this shape.
Array<double> count(std::size_t rows, std::size_t columns) {
  auto numbers = empty<double>(rows, columns);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

/// The columns of two arrays alternating: a0 b0 a1 b1 ...
template <class Real>
Array<Real> in_turn(const Array<double>& a, const Array<double>& b) {
  auto both = empty<Real>(a.shape(0), 2 * a.shape(1));
  for (std::size_t k = 0; k < a.size(); ++k) {
    both.data()[2 * k] = Real(a.data()[k]);
    both.data()[2 * k + 1] = Real(b.data()[k]);
  }
  return both;
}

}  // namespace

template <class Real, class Dev>
void sinusoids(Reference<Real>&, Out<Dev, 2> table) {
  check_sinusoids<Dev>(table);
  const auto [P, D] = table.extent;
  const Array<double> p = count(P, 1), i = count(1, D / 2);  // (P, 1), (1, D / 2)
  // exercise: begin
  const Array<double> w = xt::pow(sinusoid_base, -2 * i / static_cast<double>(D));  // (1, D / 2)
  const Array<double> angle = p * w;                                                // (P, D / 2)
  store<Real>(table, in_turn<Real>(xt::sin(angle), xt::cos(angle)));                // eq:2.1
  // exercise: end
}

template Sinusoids<Reference<double>> sinusoids;
template Sinusoids<Reference<Dual>> sinusoids;

}  // namespace gradus
