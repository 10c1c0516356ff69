// The rules of cuBLAS and cublasLt: what a call refuses, and what work memory two streams may share.

#include <cublasLt.h>

#include <functional>

#include "cuda_standin/support.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A call of cublasGemmEx: c (3 x 4) = a (3 x 5) b (5 x 4), by columns. A test changes what it likes.
struct Gemm {
  Anew anew;
  cudaStream_t stream = new_stream();
  cublasHandle_t handle = nullptr;
  OnDevice<float> a{15}, b{20}, c{12};
  const float *a_at = a.data(), *b_at = b.data();
  float* c_at = c.data();
  cublasOperation_t ta = CUBLAS_OP_N, tb = CUBLAS_OP_N;
  int m = 3, n = 4, k = 5, lda = 3, ldb = 5, ldc = 3;
  float alpha = 1, beta = 0;
  cudaDataType type = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F_PEDANTIC;

  Gemm() {
    REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  }
  cublasStatus_t call() {
    return cublasGemmEx(handle, ta, tb, m, n, k, &alpha, a_at, type, lda, b_at, CUDA_R_32F, ldb, &beta, c_at,
                        CUDA_R_32F, ldc, compute, CUBLAS_GEMM_DEFAULT);
  }
};

using Change = std::function<void(Gemm&)>;

}  // namespace

TEST_CASE("stand-in: cuBLAS refuses leading dimensions and sizes that do not fit") {
  Gemm right;
  CHECK(right.call() == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<std::pair<const char*, Change>> wrong{
      {"lda", [](Gemm& g) { g.lda = 2; }},
      {"ldb", [](Gemm& g) { g.ldb = 4; }},
      {"ldc", [](Gemm& g) { g.ldc = 2; }},
      {"exchanged", [](Gemm& g) { std::swap(g.lda, g.ldb); }},
      {"transposed a", [](Gemm& g) { g.ta = CUBLAS_OP_T; }},
      {"transposed b", [](Gemm& g) { g.tb = CUBLAS_OP_T, g.ldb = 3; }},
      {"a negative size", [](Gemm& g) { g.n = -1; }},
      {"lda of 0", [](Gemm& g) { g.m = 0, g.lda = 0; }},
      {"no a", [](Gemm& g) { g.a_at = nullptr; }},
      {"no c", [](Gemm& g) { g.c_at = nullptr; }},
  };
  for (const auto& [what, change] : wrong) {
    INFO(what);
    Gemm g;
    change(g);
    CHECK(g.call() == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(standin::waiting() == 0);
  }
}

TEST_CASE("stand-in: cuBLAS refuses other types and handles that do not exist") {
  Gemm g, h;
  g.type = CUDA_R_64F;
  CHECK(g.call() == CUBLAS_STATUS_NOT_SUPPORTED);
  h.compute = CUBLAS_COMPUTE_64F;
  CHECK(h.call() == CUBLAS_STATUS_NOT_SUPPORTED);
  REQUIRE(cublasDestroy(h.handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(h.call() == CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_CASE("stand-in: a product that reaches past its memory is a fault when it runs") {
  for (const Change& change : {Change([](Gemm& g) { g.lda = 4; }), Change([](Gemm& g) { g.ldb = 6; }),
                               Change([](Gemm& g) { g.ldc = 4; }), Change([](Gemm& g) { g.c_at += 1; })}) {
    Gemm g;
    change(g);
    CHECK(g.call() == CUBLAS_STATUS_SUCCESS);
    CHECK(cudaStreamSynchronize(g.stream) == cudaErrorIllegalAddress);
  }
}

TEST_CASE("stand-in: with beta 0 the old result is not read, otherwise it is") {
  for (const float beta : {0.F, 2.F}) {
    Gemm g;
    for (const auto* factor : {&g.a, &g.b})
      gpu::upload(factor->data(), std::vector<float>(20, 1).data(), (factor == &g.a ? 15 : 20) * sizeof(float));
    g.beta = beta;  // c is NaN at first
    REQUIRE(g.call() == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cudaStreamSynchronize(g.stream) == cudaSuccess);
    CHECK((g.c.values()[11] == 5) == (beta == 0));
  }
}

TEST_CASE(
    "stand-in: a workspace begins at a multiple of 256 bytes, in device memory, and another stream resets it") {
  Gemm g, h;
  const OnDevice<char> memory(4096);
  CHECK(cublasSetWorkspace(g.handle, memory.data() + 16, 1024) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetWorkspace(g.handle, memory.data(), 1024) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetWorkspace(h.handle, memory.data(), 1024) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasSetStream(h.handle, h.stream) == CUBLAS_STATUS_SUCCESS);  // has its own workspace again
  CHECK(g.call() == CUBLAS_STATUS_SUCCESS);
  CHECK(h.call() == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetWorkspace(g.handle, memory.data(), 4097) == CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_CASE("stand-in: two streams may not share a workspace unless something orders their products") {
  for (const bool is_ordered : {false, true}) {
    Gemm g, h;
    const OnDevice<char> memory(4096);
    const cudaEvent_t event = new_event();
    REQUIRE(cublasSetWorkspace(g.handle, memory.data(), 2048) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cublasSetWorkspace(h.handle, memory.data() + 1024, 2048) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(g.call() == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cudaEventRecord(event, g.stream) == cudaSuccess);
    if (is_ordered) REQUIRE(cudaStreamWaitEvent(h.stream, event) == cudaSuccess);
    CHECK(h.call() == (is_ordered ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED));
    if (!is_ordered)
      CHECK_THAT(std::string(cublasGetStatusString(CUBLAS_STATUS_EXECUTION_FAILED)),
                 contains("the workspace of cublas"));
  }
}

TEST_CASE(
    "stand-in: the library's own workspace belongs to the handle, so two streams may not share that, either") {
  Gemm g, h;
  REQUIRE(g.call() == CUBLAS_STATUS_SUCCESS);
  h.handle = g.handle;
  REQUIRE(cublasSetStream(h.handle, h.stream) == CUBLAS_STATUS_SUCCESS);
  CHECK(h.call() == CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_CASE("stand-in: a handle cannot be made or destroyed while a stream is captured") {
  Gemm g;
  cublasHandle_t more = nullptr;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(g.call() == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasCreate(&more) == CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(g.call() == CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(cudaStreamEndCapture(g.stream, &graph) == cudaErrorStreamCaptureInvalidated);
}

namespace {

/// d (3 x 4) = a (3 x 5) b (5 x 4), then the epilogue; the bias is 1, 2, 3 less 12.
struct Lt {
  Gemm g;
  OnDevice<float> bias{std::vector<float>{-11, -10, -9}};
  OnDevice<char> workspace{4096};
  cublasLtMatmulDesc_t what = nullptr;
  cublasLtMatrixLayout_t a = layout(3, 5), b = layout(5, 4), d = layout(3, 4);
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulHeuristicResult_t best{};
  std::size_t bytes = 1024;

  explicit Lt(cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS) {
    for (const auto* factor : {&g.a, &g.b})
      gpu::upload(factor->data(), std::vector<float>(20, 1).data(), (factor == &g.a ? 15 : 20) * sizeof(float));
    REQUIRE(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.data());
    REQUIRE(cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
    promise(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{1024});
    choose();
  }
  static cublasLtMatrixLayout_t layout(std::uint64_t rows, std::uint64_t columns) {
    cublasLtMatrixLayout_t made = nullptr;
    REQUIRE(cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, rows, columns, static_cast<std::int64_t>(rows)) ==
            CUBLAS_STATUS_SUCCESS);
    return made;
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t which, T value) {
    REQUIRE(cublasLtMatmulDescSetAttribute(what, which, &value, sizeof value) == CUBLAS_STATUS_SUCCESS);
  }
  template <class T>
  void promise(cublasLtMatmulPreferenceAttributes_t which, T value) {
    REQUIRE(cublasLtMatmulPreferenceSetAttribute(preference, which, &value, sizeof value) == CUBLAS_STATUS_SUCCESS);
  }
  void choose() {
    int found = 0;
    REQUIRE(cublasLtMatmulAlgoGetHeuristic(reinterpret_cast<cublasLtHandle_t>(g.handle), what, a, b, d, d,
                                           preference, 1, &best, &found) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(found == 1);
  }
  cublasStatus_t call() {
    const float one = 1, zero = 0;
    return cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(g.handle), what, &one, g.a_at, a, g.b_at, b, &zero,
                          g.c_at, d, g.c_at, d, &best.algo, workspace.data(), bytes, g.stream);
  }
  std::vector<float> column() {
    REQUIRE(call() == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cudaStreamSynchronize(g.stream) == cudaSuccess);
    const std::vector<float> all = g.c.values();
    return {all.begin() + 3, all.begin() + 6};
  }
};

}  // namespace

TEST_CASE("stand-in: the epilogues of cublasLt") {
  CHECK(Lt(CUBLASLT_EPILOGUE_DEFAULT).column() == std::vector<float>{5, 5, 5});
  CHECK(Lt(CUBLASLT_EPILOGUE_BIAS).column() == std::vector<float>{-6, -5, -4});
  CHECK(Lt(CUBLASLT_EPILOGUE_RELU_BIAS).column() == std::vector<float>{0, 0, 0});
  CHECK(Lt(CUBLASLT_EPILOGUE_GELU).column()[0] == Approx(5).epsilon(1e-5));
}

TEST_CASE("stand-in: an algorithm is valid for what it was chosen for") {
  const std::vector<std::pair<const char*, std::function<void(Lt&)>>> wrong{
      {"another form", [](Lt& lt) { lt.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT); }},
      {"layouts exchanged", [](Lt& lt) { std::swap(lt.a, lt.b); }},
      {"too little work memory", [](Lt& lt) { lt.bytes = 1023; }},
      {"a not aligned", [](Lt& lt) { lt.g.a_at += 1; }},
      {"no algorithm", [](Lt& lt) { lt.best = {}; }},
      {"no bias", [](Lt& lt) { lt.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<float*>(nullptr)); }},
  };
  for (const auto& [what, change] : wrong) {
    INFO(what);
    Lt lt;
    change(lt);
    CHECK(lt.call() == CUBLAS_STATUS_INVALID_VALUE);
  }
  Lt lt;
  lt.promise(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, std::uint32_t{4});
  lt.choose();
  lt.g.a_at += 1;
  lt.a = Lt::layout(3, 4), lt.b = Lt::layout(4, 4);
  lt.choose();
  CHECK(lt.call() == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescSetAttribute(lt.what, CUBLASLT_MATMUL_DESC_TRANSA, &lt, 1) ==
        CUBLAS_STATUS_INVALID_VALUE);
}
