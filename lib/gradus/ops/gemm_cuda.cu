#include <cublas_v2.h>

#include <limits>

#include "gradus/device/tf32_override.hpp"
#include "gradus/gpu/language.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ops/gemm.hpp"

namespace gradus {
namespace {

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) fail(std::string("cuBLAS: ") + cublasGetStatusString(status));
}

/// A handle of cuBLAS on the current stream. It uses our own work memory: otherwise cuBLAS would allocate some
/// during a recording, and might choose other kernels there than in a direct step.
struct Handle {
  cublasHandle_t handle = nullptr;
  std::byte* workspace = nullptr;
  Handle() {
    constexpr std::size_t bytes = std::size_t{32} << 20;  // NVIDIA's recommendation for its largest GPUs
    check(cublasCreate(&handle));
    check(cublasSetStream(handle, gpu::stream()));
    workspace = gpu::allocate(bytes);
    check(cublasSetWorkspace(handle, workspace, bytes));  // after setting the stream, which resets the workspace
  }
  ~Handle() {
    cublasDestroy(handle);
    gpu::release(workspace);
  }
};

/// One handle for each branch, made at its first product. If two streams shared work memory, two products at the same time could
/// spoil each other, and NVIDIA promises equal bits in every run only for streams that share none.
cublasHandle_t handle() {
  if (gpu::is_in_second_branch()) {
    static const Handle second;
    return second.handle;
  }
  static const Handle first;
  return first.handle;
}

int size(std::size_t n) {
  if (n > std::numeric_limits<int>::max()) fail("gemm: " + std::to_string(n) + " is more than cuBLAS can count");
  return static_cast<int>(n);
}
int stride(std::size_t n) { return n == 0 ? 1 : size(n); }
cublasOperation_t form(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

/// Only the pedantic type promises standard arithmetic: variables of the environment, such as CUBLAS_EMULATE_SINGLE_PRECISION,
/// may change what CUBLAS_COMPUTE_32F does.
cublasComputeType_t precision(Products products) {
  switch (products) {
    case Products::tf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
    case Products::bf16:
      return CUBLAS_COMPUTE_32F_FAST_16BF;
    case Products::exact:
      break;
  }
  return CUBLAS_COMPUTE_32F_PEDANTIC;
}

cublasStatus_t call(Products products, cublasOperation_t ta, cublasOperation_t tb, int n, int m, int k, float alpha,
                    const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  require_no_override(products);
  return cublasGemmEx(handle(), ta, tb, n, m, k, &alpha, a, CUDA_R_32F, lda, b, CUDA_R_32F, ldb, &beta, c,
                      CUDA_R_32F, ldc, precision(products), CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t call(Products, cublasOperation_t ta, cublasOperation_t tb, int n, int m, int k, double alpha,
                    const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) {
  return cublasDgemm(handle(), ta, tb, n, m, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}

}  // namespace

/// cuBLAS stores matrices by columns: its c^T = b^T a^T is our c = a b by rows.
template <class Real, class Dev>
void multiply(Cuda<Real>& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale, bool add) {
  check_gemm<Dev>(c, a, b);
  const std::size_t n = c.extent[0], m = c.extent[1], k = a.column_count();
  if (n == 0 || m == 0) return;
  if (k == 0) {  // the empty sum
    if (!add) fill(dev, c, 0);
    return;
  }
  check(call(dev.products, form(b.transposed), form(a.transposed), size(m), size(n), size(k),
             static_cast<Real>(scale), b.matrix.data, stride(b.matrix.stride), a.matrix.data,
             stride(a.matrix.stride), add ? Real(1) : Real(0), c.data, stride(c.stride)));
}

using F = Cuda<float>;
using D = Cuda<double>;
template void multiply(F&, Out<F, 2>, Factor<F>, Factor<F>, double, bool);
template void multiply(D&, Out<D, 2>, Factor<D>, Factor<D>, double, bool);

}  // namespace gradus
