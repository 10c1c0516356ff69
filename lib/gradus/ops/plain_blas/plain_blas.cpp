#include <cblas.h>

#include <cstddef>

#include "gradus/ops/cpu/blas_call.hpp"
#include "gradus/ops/cpu/blas_core.hpp"

namespace gradus {
namespace {

/// Element (row, column) of op(matrix).
template <class Real>
struct Read {
  const Real* data;
  std::ptrdiff_t row, column;  // strides
  Read(const Real* d, CBLAS_TRANSPOSE form, int stride)
      : data(d), row(form == CblasTrans ? 1 : stride), column(form == CblasTrans ? stride : 1) {}
  Real operator()(int i, int j) const { return data[i * row + j * column]; }
};

/// The inner loop runs along a row of c, so it vectorises where b is not transposed.
template <class Real>
void multiply(int m, int n, int k, Real alpha, Read<Real> a, Read<Real> b, Real beta, Real* c, std::ptrdiff_t ldc) {
  for (int i = 0; i < m; ++i, c += ldc) {
    for (int j = 0; j < n; ++j) c[j] = beta == 0 ? Real(0) : beta * c[j];
    for (int p = 0; p < k; ++p) {
      const Real factor = alpha * a(i, p);
      for (int j = 0; j < n; ++j) c[j] += factor * b(p, j);
    }
  }
}

}  // namespace

BlasCall::BlasCall() = default;  // one thread, no buffers
BlasCall::~BlasCall() = default;

std::string blas_core() { return "plain"; }
void prefer_better_blas_core(char**) {}

}  // namespace gradus

void cblas_sgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha,
                 const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  gradus::multiply<float>(m, n, k, alpha, {a, ta, lda}, {b, tb, ldb}, beta, c, ldc);
}

void cblas_dgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha,
                 const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) {
  gradus::multiply<double>(m, n, k, alpha, {a, ta, lda}, {b, tb, ldb}, beta, c, ldc);
}
