#include "gradus/ops/blas/blas_call.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/tensor/array.hpp"

#include <xtensor-blas/xblas.hpp>

namespace gradus {
namespace {

Array<double> part(const Array<Dual>& x, double Dual::*which) {
  auto y = empty<double>(x.shape(0), x.shape(1));
  for (std::size_t i = 0; i < x.size(); ++i) y.data()[i] = x.data()[i].*which;
  return y;
}

template <class Real>
Array<Real> factor(const BasicFactor<Real, Host>& f) {
  return f.transposed ? transposed(array(f.matrix)) : array(f.matrix);
}

}  // namespace

template <>
Array<double> product(const Array<double>& a, const Array<double>& b) {
  Array<double> c = xt::zeros<double>({a.shape(0), b.shape(1)});
  if (c.size() == 0 || a.shape(1) == 0) return c;
  const BlasCall scope;
  xt::blas::gemm(a, b, c);
  return c;
}

// (A + e A') (B + e B') = A B + e (A' B + A B')
template <>
Array<Dual> product(const Array<Dual>& a, const Array<Dual>& b) {
  const Array<double> av = part(a, &Dual::value), as = part(a, &Dual::slope);
  const Array<double> bv = part(b, &Dual::value), bs = part(b, &Dual::slope);
  const Array<double> value = product(av, bv), left = product(as, bv), right = product(av, bs);
  auto c = empty<Dual>(value.shape(0), value.shape(1));
  for (std::size_t i = 0; i < c.size(); ++i) c.data()[i] = {value.data()[i], left.data()[i] + right.data()[i]};
  return c;
}

template <class Real, class Dev>
void multiply(Reference<Real>&, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale, bool add) {
  check_gemm<Dev>(c, a, b);
  const Array<Real> scaled = Real(scale) * product(factor(a), factor(b));
  add ? add_to<Real>(c, scaled) : store<Real>(c, scaled);
}

template Multiply<Reference<double>> multiply;
template Multiply<Reference<Dual>> multiply;

}  // namespace gradus
