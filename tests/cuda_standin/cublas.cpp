#include <cmath>
#include <map>
#include <set>

#include "cuda_standin/blas.hpp"

namespace gradus::standin {
namespace {

std::set<const void*>& handles() {
  static auto& all = *new std::set<const void*>;
  return all;
}
std::map<cublasStatus_t, std::string>& reasons() {
  static auto& all = *new std::map<cublasStatus_t, std::string>;
  return all;
}

cublasContext& context(cublasHandle_t handle) {
  if (!is_handle(handle)) throw BlasRefused{CUBLAS_STATUS_NOT_INITIALIZED, "there is no such handle"};
  return *handle;
}

const char* name(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "a status of cuBLAS";
  }
}

/// A pointer that a call only reads through later.
void* plain(const void* at) { return const_cast<void*>(at); }

struct Sizes {
  int m, n, k;
};
/// The matrices of a call: their stored shapes follow from the sizes of the product and from the forms.
void set_shapes(Product& p, const Sizes& s, cublasOperation_t ta, cublasOperation_t tb) {
  if (s.m < 0 || s.n < 0 || s.k < 0) refuse_product(p.what + ": a size is negative");
  p.a.form = ta, p.b.form = tb;
  p.a.rows = ta == CUBLAS_OP_N ? s.m : s.k, p.a.columns = ta == CUBLAS_OP_N ? s.k : s.m;
  p.b.rows = tb == CUBLAS_OP_N ? s.k : s.n, p.b.columns = tb == CUBLAS_OP_N ? s.n : s.k;
  p.d.rows = s.m, p.d.columns = s.n;
  p.c = p.d;  // a product of cuBLAS has one matrix for both
}

template <class Real>
void set_factors(Product& p, const void* alpha, const void* beta) {
  if (alpha == nullptr || beta == nullptr) refuse_product(p.what + ": there is no alpha or no beta");
  p.alpha = static_cast<double>(*static_cast<const Real*>(alpha));
  p.beta = static_cast<double>(*static_cast<const Real*>(beta));
}

/// Without the caller's workspace a handle has one of the library's; its address stands for it.
void multiply(cublasHandle_t handle, const Product& p) {
  cublasContext& own = context(handle);
  check(p);
  const bool is_given = own.workspace != nullptr;
  add_task(own.stream, task_of(p, is_given ? own.workspace : &own, is_given ? own.workspace_bytes : 1));
}

void require_floats(const Product& p, cudaDataType a, cudaDataType b, cudaDataType c) {
  if (a != CUDA_R_32F || b != CUDA_R_32F || c != CUDA_R_32F || p.kind == Kind::real64)
    throw BlasRefused{CUBLAS_STATUS_NOT_SUPPORTED, p.what + ": types other than float"};
}

}  // namespace

cublasStatus_t note(cublasStatus_t status, const std::string& why) {
  if (!why.empty()) reasons()[status] = why;
  return status;
}
bool is_handle(const void* handle) { return handles().count(handle) != 0; }

Kind kind_of(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return Kind::real32;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return Kind::tf32;
    case CUBLAS_COMPUTE_32F_FAST_16BF:
      return Kind::bf16;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return Kind::real64;
  }
  throw BlasRefused{CUBLAS_STATUS_NOT_SUPPORTED, "a type of computation"};
}

}  // namespace gradus::standin

// NOLINTBEGIN: these are CUDA's names.
using namespace gradus::standin;

const char* cublasGetStatusString(cublasStatus_t status) {
  const auto why = reasons().find(status);
  return kept(std::string(name(status)) + (why == reasons().end() ? "" : " (" + why->second + ")"));
}

/// It allocates: during a capture that is refused.
cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  return answer_blas([&] {
    refuse_if_unsafe("cublasCreate");
    handles().insert(*handle = new cublasContext);
  });
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return answer_blas([&] {
    context(handle);
    refuse_if_unsafe("cublasDestroy");
    run_all();
    handles().erase(handle);
    delete handle;
  });
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return answer_blas([&] {
    stream_of(stream);
    context(handle) = {stream, nullptr, 0};  // "unconditionally resets the workspace"
  });
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes) {
  return answer_blas([&] {
    cublasContext& own = context(handle);
    if (reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0)
      refuse_product("a workspace begins at a multiple of 256 bytes");
    if (bytes != 0) check_on_device("cublasSetWorkspace", workspace, bytes);
    own.workspace = bytes == 0 ? nullptr : workspace, own.workspace_bytes = bytes;
  });
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long a_distance, const void* b, cudaDataType b_type,
                                          int ldb, long long b_distance, const void* beta, void* c,
                                          cudaDataType c_type, int ldc, long long c_distance, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  return answer_blas([&] {
    context(handle);
    Product p;
    p.what = "cublasGemmStridedBatchedEx", p.kind = kind_of(compute), p.count = count;
    require_floats(p, a_type, b_type, c_type);
    set_factors<float>(p, alpha, beta);
    p.a = {plain(a), 0, 0, lda, a_distance}, p.b = {plain(b), 0, 0, ldb, b_distance},
    p.d = {c, 0, 0, ldc, c_distance};
    set_shapes(p, {m, n, k}, ta, tb);
    multiply(handle, p);
  });
}
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                         int n, int k, const double* alpha, const double* a, int lda,
                                         long long a_distance, const double* b, int ldb, long long b_distance,
                                         const double* beta, double* c, int ldc, long long c_distance, int count) {
  return answer_blas([&] {
    context(handle);
    Product p;
    p.what = "cublasDgemmStridedBatched", p.kind = Kind::real64, p.count = count;
    set_factors<double>(p, alpha, beta);
    p.a = {plain(a), 0, 0, lda, a_distance}, p.b = {plain(b), 0, 0, ldb, b_distance},
    p.d = {c, 0, 0, ldc, c_distance};
    set_shapes(p, {m, n, k}, ta, tb);
    multiply(handle, p);
  });
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb, 0, beta, c,
                                    c_type, ldc, 0, 1, compute, algo);
}
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                           const double* alpha, const double* a, int lda, const double* b, int ldb,
                           const double* beta, double* c, int ldc) {
  return cublasDgemmStridedBatched(handle, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);
}
// NOLINTEND
