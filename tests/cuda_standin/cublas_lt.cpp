#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuda_standin/blas.hpp"

// NOLINTBEGIN: these are CUDA's names.
struct cublasLtMatmulDescOpaque_t {
  gradus::standin::Kind kind;
  cublasOperation_t ta = CUBLAS_OP_N, tb = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const float* bias = nullptr;
};
struct cublasLtMatrixLayoutOpaque_t {
  std::int64_t rows, columns, ld;
};
struct cublasLtMatmulPreferenceOpaque_t {
  std::uint64_t workspace_bytes = 0;
  std::uint32_t alignment[4] = {256, 256, 256, 256};  // CUDA's default
};

namespace gradus::standin {
namespace {

/// What an algorithm was chosen for; it is valid for nothing else. cublasLtMatmulAlgo_t holds it.
struct Choice {
  std::uint64_t sizes, alignment, workspace_bytes, bias_alignment;
};
static_assert(sizeof(Choice) <= sizeof(cublasLtMatmulAlgo_t));

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15 + (hash >> 29);
}

std::uint64_t alignment_of(const void* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return address == 0 ? 256 : std::uint64_t{address & (~address + 1)};
}

struct Layouts {
  const cublasLtMatmulDescOpaque_t& what;
  const cublasLtMatrixLayoutOpaque_t &a, &b, &c, &d;
};
std::uint64_t hash_of(const Layouts& l) {
  std::uint64_t hash = mixed(1, static_cast<std::uint64_t>(l.what.kind));
  for (const auto part : {int(l.what.ta), int(l.what.tb), int(l.what.epilogue)})
    hash = mixed(hash, static_cast<std::uint64_t>(part));
  for (const auto* m : {&l.a, &l.b, &l.c, &l.d}) {
    for (const std::int64_t n : {m->rows, m->columns, m->ld}) hash = mixed(hash, static_cast<std::uint64_t>(n));
  }
  return hash;
}

Matrix matrix(const cublasLtMatrixLayoutOpaque_t& l, const void* data, cublasOperation_t form = CUBLAS_OP_N) {
  return {const_cast<void*>(data), l.rows, l.columns, l.ld, 0, form};
}

double gelu(double x) {  // the approximation by tanh, as cublasLt has it
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

Product product_of(const Layouts& l, const void* a, const void* b, const void* c, void* d) {
  Product p;
  p.what = "cublasLtMatmul", p.kind = l.what.kind;
  p.a = matrix(l.a, a, l.what.ta), p.b = matrix(l.b, b, l.what.tb), p.c = matrix(l.c, c), p.d = matrix(l.d, d);
  const int epilogue = l.what.epilogue;
  if ((epilogue & CUBLASLT_EPILOGUE_BIAS) != 0) {
    if (l.what.bias == nullptr) refuse_product("cublasLtMatmul: there is no bias");
    p.bias = l.what.bias;
  }
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) p.activation = [](double x) { return x > 0 ? x : 0; };
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0) p.activation = gelu;
  return p;
}

void check_handle(cublasLtHandle_t handle) {
  if (!is_handle(handle)) throw BlasRefused{CUBLAS_STATUS_NOT_INITIALIZED, "there is no such handle"};
}

void check_choice(const cublasLtMatmulAlgo_t* algo, const Layouts& l, const Product& p,
                  std::size_t workspace_bytes) {
  if (algo == nullptr) return;  // cublasLt then chooses
  Choice choice{};
  std::memcpy(&choice, algo, sizeof choice);
  if (choice.sizes != hash_of(l)) refuse_product("cublasLtMatmul: the algorithm was chosen for another product");
  if (workspace_bytes < choice.workspace_bytes)
    refuse_product("cublasLtMatmul: the algorithm needs a larger workspace");
  for (const void* const at : {p.a.data, p.b.data, p.c.data, p.d.data}) {
    if (alignment_of(at) < choice.alignment)
      refuse_product("cublasLtMatmul: a matrix is not aligned as was promised");
  }
  if (alignment_of(p.bias) < choice.bias_alignment)
    refuse_product("cublasLtMatmul: the bias is not aligned as before");
}

template <class T>
void set(T& to, const void* value, std::size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) refuse_product("an attribute of cublasLt: a value of another size");
  std::memcpy(&to, value, bytes);
}

}  // namespace
}  // namespace gradus::standin

using namespace gradus::standin;

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return answer_blas([&] {
    const Kind kind = kind_of(compute);
    if (kind == Kind::real64 || scale != CUDA_R_32F)
      throw BlasRefused{CUBLAS_STATUS_NOT_SUPPORTED, "types other than float"};
    *made = new cublasLtMatmulDescOpaque_t{kind};
  });
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  delete description;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t which,
                                              const void* value, std::size_t bytes) {
  return answer_blas([&] {
    switch (which) {
      case CUBLASLT_MATMUL_DESC_TRANSA:
        return set(d->ta, value, bytes);
      case CUBLASLT_MATMUL_DESC_TRANSB:
        return set(d->tb, value, bytes);
      case CUBLASLT_MATMUL_DESC_EPILOGUE:
        return set(d->epilogue, value, bytes);
      case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
        return set(d->bias, value, bytes);
    }
    refuse_product("an attribute of cublasLt that the stand-in does not have");
  });
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t ld) {
  return answer_blas([&] {
    if (type != CUDA_R_32F) throw BlasRefused{CUBLAS_STATUS_NOT_SUPPORTED, "types other than float"};
    *made =
        new cublasLtMatrixLayoutOpaque_t{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), ld};
  });
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = new cublasLtMatmulPreferenceOpaque_t;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
                                                    cublasLtMatmulPreferenceAttributes_t which, const void* value,
                                                    std::size_t bytes) {
  return answer_blas([&] {
    if (which == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return set(p->workspace_bytes, value, bytes);
    set(p->alignment[which - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], value, bytes);
  });
}

/// The one algorithm needs all of the workspace that it may have, and the alignment that was promised.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t what,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  return answer_blas([&] {
    check_handle(handle);
    *found = 0;
    if (wanted < 1) refuse_product("cublasLtMatmulAlgoGetHeuristic: no result is wanted");
    const auto& least = preference->alignment;
    Choice choice{hash_of({*what, *a, *b, *c, *d}), 0, preference->workspace_bytes, 1};
    choice.alignment = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
    if ((what->epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 && what->bias != nullptr)
      choice.bias_alignment = std::min<std::uint64_t>(alignment_of(what->bias), 16);
    results[0] = {};
    std::memcpy(&results[0].algo, &choice, sizeof choice);
    results[0].workspaceSize = choice.workspace_bytes;
    *found = 1;
  });
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t what, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algo, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  return answer_blas([&] {
    check_handle(handle);
    const Layouts layouts{*what, *a_layout, *b_layout, *c_layout, *d_layout};
    Product p = product_of(layouts, a, b, c, d);
    if (alpha == nullptr || beta == nullptr) refuse_product("cublasLtMatmul: there is no alpha or no beta");
    p.alpha = static_cast<double>(*static_cast<const float*>(alpha));
    p.beta = static_cast<double>(*static_cast<const float*>(beta));
    check(p);
    check_choice(algo, layouts, p, workspace_bytes);
    if (workspace_bytes != 0) check_on_device("cublasLtMatmul: the workspace", workspace, workspace_bytes);
    add_task(stream, task_of(p, workspace, workspace_bytes));
  });
}
// NOLINTEND
