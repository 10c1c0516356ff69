#include <cblas.h>

#include "gradus/ops/blas/blas_call.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/ops/plain_blas/plain_product.hpp"

namespace gradus {

BlasCall::BlasCall() = default;  // one thread, no buffers
BlasCall::~BlasCall() = default;

std::string blas_core() { return "plain"; }
void prefer_better_blas_core(char**) {}

}  // namespace gradus

void cblas_sgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha,
                 const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  gradus::plain_product<float>(m, n, k, alpha, {a, lda, ta == CblasTrans}, {b, ldb, tb == CblasTrans}, beta, c,
                               ldc);
}

void cblas_dgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha,
                 const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) {
  gradus::plain_product<double>(m, n, k, alpha, {a, lda, ta == CblasTrans}, {b, ldb, tb == CblasTrans}, beta, c,
                                ldc);
}
