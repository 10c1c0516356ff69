#pragma once
/// \file
/// The part of CBLAS that gradus calls, for systems without OpenBLAS: products by plain loops.

enum CBLAS_LAYOUT { CblasRowMajor = 101 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };

extern "C" {

/// c = alpha op(a) op(b) + beta c, for c (m, n) and k the length of each sum; op transposes or not. Row by row, with these strides.
/// Only row-major order exists. With beta = 0 the old c is not read.
void cblas_sgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha,
                 const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
void cblas_dgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha,
                 const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc);
}
