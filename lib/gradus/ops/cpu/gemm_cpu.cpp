#include "gradus/ops/gemm.hpp"

#include <cblas.h>

#include <limits>
#include <type_traits>

#include "gradus/ops/blas/blas_call.hpp"
#include "gradus/ops/cpu/float_product_cpu.hpp"
#include "gradus/ops/cpu/int8_product_cpu.hpp"
#include "gradus/ops/cpu/int8_weights.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {
namespace {

CBLAS_TRANSPOSE form(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }
int size(std::size_t n) {
  if (n > std::numeric_limits<int>::max()) fail("gemm: " + std::to_string(n) + " is more than BLAS can count");
  return static_cast<int>(n);
}
int stride(std::size_t n) { return n == 0 ? 1 : size(n); }  // BLAS rejects a stride of 0 even if it reads nothing

void call(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int n, int m, int k, double alpha, const float* a, int lda,
          const float* b, int ldb, float beta, float* c, int ldc) {
  cblas_sgemm(CblasRowMajor, ta, tb, n, m, k, static_cast<float>(alpha), a, lda, b, ldb, beta, c, ldc);
}
void call(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int n, int m, int k, double alpha, const double* a, int lda,
          const double* b, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(CblasRowMajor, ta, tb, n, m, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace

template <class Real, class Dev>
void multiply(Cpu<Real>& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale, bool add) {
  check_gemm<Dev>(c, a, b);
  const auto [n, m] = c.extent;
  const std::size_t k = a.column_count();
  if (n == 0 || m == 0) return;
  if (k == 0) {  // an empty sum; BLAS libraries differ for k = 0
    if (!add) fill(dev, c, 0);
    return;
  }
  if constexpr (std::is_same_v<Real, float>) {
    const Int8Weights::Matrix* const w =
        dev.int8_weights && !a.transposed ? dev.int8_weights->find(b.matrix, b.transposed) : nullptr;
    if (w) return int8_multiply(dev.scratch, c, a.matrix, *w, static_cast<float>(scale), add);
    if (!a.transposed && b.transposed && is_few_rows(n, m)) {
      return multiply_few_rows(c, a.matrix, b.matrix, static_cast<float>(scale), add);
    }
    const TiledForm form{a.transposed, b.transposed};
    if (is_tiled(n, m, k, form))
      return multiply_by_tiles(dev.scratch, c, a.matrix, b.matrix, form, static_cast<float>(scale), add);
  }
  const BlasCall scope;
  call(form(a.transposed), form(b.transposed), size(n), size(m), size(k), scale, a.matrix.data,
       stride(a.matrix.stride), b.matrix.data, stride(b.matrix.stride), add ? Real(1) : Real(0), c.data,
       stride(c.stride));
}

template Multiply<Cpu<float>> multiply;
template Multiply<Cpu<double>> multiply;

}  // namespace gradus
