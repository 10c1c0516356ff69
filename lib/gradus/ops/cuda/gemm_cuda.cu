#include <cublasLt.h>
#include <cublas_v2.h>

#include <limits>
#include <memory>
#include <type_traits>

#include "gradus/device/tf32_override.hpp"
#include "gradus/gpu/language.hpp"
#include "gradus/ops/cuda/gemm_bias.hpp"
#include "gradus/ops/cuda/gemm_each.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ops/gemm.hpp"

namespace gradus {
namespace {

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) fail(std::string("cuBLAS: ") + cublasGetStatusString(status));
}

/// A handle of cuBLAS on the current stream. It uses our own work memory: otherwise cuBLAS would allocate some
/// during a recording, and might choose other kernels there than in a direct step. It lives until the process ends, and the system
/// frees it: a destructor would run after main, when CUDA may have shut down already.
struct Handle {
  static constexpr std::size_t bytes = std::size_t{32} << 20;  // NVIDIA's recommendation for its largest GPUs
  cublasHandle_t handle = nullptr;
  std::byte* workspace = nullptr;
  Handle() {
    check(cublasCreate(&handle));
    check(cublasSetStream(handle, gpu::stream()));
    workspace = gpu::allocate(bytes);
    check(cublasSetWorkspace(handle, workspace, bytes));  // after setting the stream, which resets the workspace
  }
};
static_assert(std::is_trivially_destructible_v<Handle>, "nothing may call CUDA after main");

/// One handle for each branch, made at its first product. If two streams shared work memory, two products at the same time could
/// spoil each other, and NVIDIA promises equal bits in every run only for streams that share none.
const Handle& current() {
  if (gpu::is_in_second_branch()) {
    static const Handle second;
    return second;
  }
  static const Handle first;
  return first;
}
cublasHandle_t handle() { return current().handle; }

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

/// `count` products; those after the first have the same a, and each b and c lies `d` behind the one before.
template <class Real>
cublasStatus_t call_each(Products products, std::size_t count, const View<Real, 2, Gpu>& c,
                         const BasicFactor<Real, Gpu>& a, const BasicFactor<Real, Gpu>& b, const EachDistance& d) {
  const cublasOperation_t tb = form(b.transposed), ta = form(a.transposed);
  const int m = size(c.extent[1]), n = size(c.extent[0]), k = size(a.column_count()), many = size(count);
  const int ldb = stride(b.matrix.stride), lda = stride(a.matrix.stride), ldc = stride(c.stride);
  const Real one = 1, zero = 0;
  if constexpr (std::is_same_v<Real, float>) {
    require_no_override(products);
    return cublasGemmStridedBatchedEx(handle(), tb, ta, m, n, k, &one, b.matrix.data, CUDA_R_32F, ldb, d.b,
                                      a.matrix.data, CUDA_R_32F, lda, 0, &zero, c.data, CUDA_R_32F, ldc, d.c, many,
                                      precision(products), CUBLAS_GEMM_DEFAULT);
  } else {
    return cublasDgemmStridedBatched(handle(), tb, ta, m, n, k, &one, b.matrix.data, ldb, d.b, a.matrix.data, lda,
                                     0, &zero, c.data, ldc, d.c, many);
  }
}

// cublasLt, the part of cuBLAS that does more than a product in one launch.

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Description = std::unique_ptr<cublasLtMatmulDescOpaque_t, Destroy<cublasLtMatmulDescDestroy>>;
using Matrix = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Destroy<cublasLtMatrixLayoutDestroy>>;
using Preference = std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, Destroy<cublasLtMatmulPreferenceDestroy>>;

/// A product whose result gets the bias in each of its columns, which are our rows.
Description description(Products products, cublasOperation_t ta, cublasOperation_t tb, const float* bias) {
  cublasLtMatmulDesc_t made = nullptr;
  check(cublasLtMatmulDescCreate(&made, precision(products), CUDA_R_32F));
  Description d(made);
  const auto set = [&](cublasLtMatmulDescAttributes_t which, const auto& value) {
    check(cublasLtMatmulDescSetAttribute(made, which, &value, sizeof value));
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
  set(CUBLASLT_MATMUL_DESC_TRANSB, tb);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  return d;
}

/// Our rows are the columns of cuBLAS.
Matrix matrix(const View<const float, 2, Gpu>& m) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, m.extent[1], m.extent[0], size(m.stride)));
  return Matrix(made);
}

/// What a kernel may use: our work memory, and the alignment that `gemm_with_bias` has checked.
Preference preference() {
  cublasLtMatmulPreference_t made = nullptr;
  check(cublasLtMatmulPreferenceCreate(&made));
  Preference p(made);
  const auto set = [&](cublasLtMatmulPreferenceAttributes_t which, const auto& value) {
    check(cublasLtMatmulPreferenceSetAttribute(made, which, &value, sizeof value));
  };
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{Handle::bytes});
  for (const auto which : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                           CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    set(which, std::uint32_t{aligned_bytes});
  return p;
}

bool multiply_with_bias(Products products, const View<float, 2, Gpu>& c, const BasicFactor<float, Gpu>& a,
                        const BasicFactor<float, Gpu>& b, const float* bias) {
  require_no_override(products);
  const Handle& of_branch = current();
  const auto lt = reinterpret_cast<cublasLtHandle_t>(of_branch.handle);  // NVIDIA: one may stand for the other
  const Description what = description(products, form(b.transposed), form(a.transposed), bias);
  const Matrix left = matrix(b.matrix), right = matrix(a.matrix), result = matrix(c);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t asked = cublasLtMatmulAlgoGetHeuristic(lt, what.get(), left.get(), right.get(), result.get(),
                                                              result.get(), preference().get(), 1, &best, &found);
  if (asked == CUBLAS_STATUS_NOT_SUPPORTED || (asked == CUBLAS_STATUS_SUCCESS && found == 0)) return false;
  check(asked);
  const float one = 1, zero = 0;
  check(cublasLtMatmul(lt, what.get(), &one, b.matrix.data, left.get(), a.matrix.data, right.get(), &zero, c.data,
                       result.get(), c.data, result.get(), &best.algo, of_branch.workspace, Handle::bytes,
                       gpu::stream()));
  return true;
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

template <class Real, class Dev>
bool gemm_with_bias(Cuda<Real>& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, In<Dev, 1> bias) {
  check_gemm_with_bias<Dev>(c, a, b, bias);
  if constexpr (std::is_same_v<Real, float>) {
    return has_launch_with_bias<Dev>(c, a, b, bias) && multiply_with_bias(dev.products, c, a, b, bias.data);
  }
  return false;
}

template <class Real, class Dev>
bool gemm_each(Cuda<Real>& dev, const std::vector<Out<Dev, 2>>& c, Factor<Dev> a,
               const std::vector<Factor<Dev>>& b) {
  check_gemm_each<Dev>(c, a, b);
  const std::optional<EachDistance> d = distance_for_each<Dev>(c, a, b);
  if (d) check(call_each<Real>(dev.products, c.size(), c[0], a, b[0], *d));
  return d.has_value();
}

using F = Cuda<float>;
using D = Cuda<double>;
template Multiply<Cuda<float>> multiply;
template Multiply<Cuda<double>> multiply;
template bool gemm_with_bias(F&, Out<F, 2>, Factor<F>, Factor<F>, In<F, 1>);
template bool gemm_with_bias(D&, Out<D, 2>, Factor<D>, Factor<D>, In<D, 1>);
template bool gemm_each(F&, const std::vector<Out<F, 2>>&, Factor<F>, const std::vector<Factor<F>>&);
template bool gemm_each(D&, const std::vector<Out<D, 2>>&, Factor<D>, const std::vector<Factor<D>>&);

}  // namespace gradus
