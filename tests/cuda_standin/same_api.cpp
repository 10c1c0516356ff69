// Compiled with the stand-in's headers, and with NVIDIA's where they are installed: both have the same functions and numbers.

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace {

template <class... A>
using Cuda = cudaError_t (*)(A...);
template <class... A>
using Blas = cublasStatus_t (*)(A...);
using std::size_t;

[[maybe_unused]] constexpr bool the_same(...) { return true; }

// Each function is converted to the type that it must have.
[[maybe_unused]] const bool runtime = the_same(
    Cuda<>(cudaGetLastError), Cuda<>(cudaPeekAtLastError), Cuda<>(cudaDeviceSynchronize),
    Cuda<int*>(cudaGetDeviceCount), Cuda<int*>(cudaGetDevice), Cuda<cudaDeviceProp*, int>(cudaGetDeviceProperties),
    Cuda<int*, cudaDeviceAttr, int>(cudaDeviceGetAttribute), Cuda<int*>(cudaDriverGetVersion),
    Cuda<int*>(cudaRuntimeGetVersion), Cuda<cudaStream_t*>(cudaStreamCreate),
    Cuda<cudaStream_t*, unsigned>(cudaStreamCreateWithFlags), Cuda<cudaStream_t>(cudaStreamDestroy),
    Cuda<cudaStream_t>(cudaStreamSynchronize), Cuda<cudaStream_t>(cudaStreamQuery),
    Cuda<cudaStream_t, cudaEvent_t, unsigned>(cudaStreamWaitEvent),
    Cuda<cudaEvent_t*, unsigned>(cudaEventCreateWithFlags), Cuda<cudaEvent_t>(cudaEventDestroy),
    Cuda<cudaEvent_t, cudaStream_t>(cudaEventRecord), Cuda<cudaEvent_t>(cudaEventSynchronize),
    Cuda<cudaEvent_t>(cudaEventQuery), Cuda<void**, size_t>(cudaMalloc), Cuda<void*>(cudaFree),
    Cuda<void**, size_t>([](void** m, size_t n) { return cudaMallocHost(m, n); }), Cuda<void*>(cudaFreeHost),
    Cuda<void*, const void*, size_t, cudaMemcpyKind>(cudaMemcpy),
    Cuda<void*, const void*, size_t, cudaMemcpyKind, cudaStream_t>(cudaMemcpyAsync),
    Cuda<void*, int, size_t>(cudaMemset), Cuda<void*, int, size_t, cudaStream_t>(cudaMemsetAsync));
[[maybe_unused]] const bool graphs =
    the_same(Cuda<cudaStream_t, cudaStreamCaptureMode>(cudaStreamBeginCapture),
             Cuda<cudaStream_t, cudaGraph_t*>(cudaStreamEndCapture),
             Cuda<cudaStream_t, cudaStreamCaptureStatus*>(cudaStreamIsCapturing),
             Cuda<cudaStreamCaptureMode*>(cudaThreadExchangeStreamCaptureMode),
             Cuda<cudaGraphExec_t*, cudaGraph_t, unsigned long long>(cudaGraphInstantiate),
             Cuda<cudaGraphExec_t, cudaStream_t>(cudaGraphLaunch), Cuda<cudaGraph_t>(cudaGraphDestroy),
             Cuda<cudaGraphExec_t>(cudaGraphExecDestroy), Cuda<const char**, const void*>(cudaFuncGetName),
             Cuda<cudaFuncAttributes*, const void*>(cudaFuncGetAttributes),
             Cuda<const void*, cudaFuncAttribute, int>(cudaFuncSetAttribute));

[[maybe_unused]] const bool blas = the_same(
    Blas<cublasHandle_t*>(cublasCreate), Blas<cublasHandle_t>(cublasDestroy),
    Blas<cublasHandle_t, cudaStream_t>(cublasSetStream), Blas<cublasHandle_t, void*, size_t>(cublasSetWorkspace),
    Blas<cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*,
         cudaDataType, int, const void*, cudaDataType, int, const void*, void*, cudaDataType, int,
         cublasComputeType_t, cublasGemmAlgo_t>(cublasGemmEx),
    Blas<cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const double*, const double*, int,
         const double*, int, const double*, double*, int>(cublasDgemm),
    Blas<cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*,
         cudaDataType, int, long long, const void*, cudaDataType, int, long long, const void*, void*, cudaDataType,
         int, long long, int, cublasComputeType_t, cublasGemmAlgo_t>(cublasGemmStridedBatchedEx),
    Blas<cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const double*, const double*, int,
         long long, const double*, int, long long, const double*, double*, int, long long, int>(
        cublasDgemmStridedBatched));
[[maybe_unused]] const bool blas_lt = the_same(
    Blas<cublasLtMatmulDesc_t*, cublasComputeType_t, cudaDataType_t>(cublasLtMatmulDescCreate),
    Blas<cublasLtMatmulDesc_t>(cublasLtMatmulDescDestroy),
    Blas<cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, const void*, size_t>(cublasLtMatmulDescSetAttribute),
    Blas<cublasLtMatrixLayout_t*, cudaDataType, std::uint64_t, std::uint64_t, std::int64_t>(
        cublasLtMatrixLayoutCreate),
    Blas<cublasLtMatrixLayout_t>(cublasLtMatrixLayoutDestroy),
    Blas<cublasLtMatmulPreference_t*>(cublasLtMatmulPreferenceCreate),
    Blas<cublasLtMatmulPreference_t>(cublasLtMatmulPreferenceDestroy),
    Blas<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void*, size_t>(
        cublasLtMatmulPreferenceSetAttribute),
    Blas<cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
         cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int,
         cublasLtMatmulHeuristicResult_t*, int*>(cublasLtMatmulAlgoGetHeuristic),
    Blas<cublasLtHandle_t, cublasLtMatmulDesc_t, const void*, const void*, cublasLtMatrixLayout_t, const void*,
         cublasLtMatrixLayout_t, const void*, const void*, cublasLtMatrixLayout_t, void*, cublasLtMatrixLayout_t,
         const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t>(cublasLtMatmul));

constexpr int errors[] = {cudaSuccess,
                          cudaErrorInvalidValue,
                          cudaErrorMemoryAllocation,
                          cudaErrorInvalidConfiguration,
                          cudaErrorInvalidMemcpyDirection,
                          cudaErrorInsufficientDriver,
                          cudaErrorInvalidDeviceFunction,
                          cudaErrorNoDevice,
                          cudaErrorNoKernelImageForDevice,
                          cudaErrorInvalidResourceHandle,
                          cudaErrorNotReady,
                          cudaErrorIllegalAddress,
                          cudaErrorLaunchTimeout,
                          cudaErrorAssert,
                          cudaErrorHardwareStackError,
                          cudaErrorIllegalInstruction,
                          cudaErrorMisalignedAddress,
                          cudaErrorInvalidAddressSpace,
                          cudaErrorInvalidPc,
                          cudaErrorLaunchFailure,
                          cudaErrorStreamCaptureUnsupported,
                          cudaErrorStreamCaptureInvalidated,
                          cudaErrorStreamCaptureMerge,
                          cudaErrorStreamCaptureUnmatched,
                          cudaErrorStreamCaptureUnjoined,
                          cudaErrorStreamCaptureIsolation,
                          cudaErrorStreamCaptureImplicit,
                          cudaErrorCapturedEvent,
                          cudaErrorStreamCaptureWrongThread,
                          cudaErrorUnknown};
constexpr int expected_errors[] = {0,   1,   2,   9,   21,  35,  98,  100, 209, 400, 600, 700, 702, 710, 714,
                                   715, 716, 717, 718, 719, 900, 901, 902, 903, 904, 905, 906, 907, 908, 999};

constexpr int numbers[] = {cudaDevAttrComputeCapabilityMajor,
                           cudaDevAttrMaxSharedMemoryPerBlockOptin,
                           cudaStreamNonBlocking,
                           cudaEventDisableTiming,
                           cudaMemcpyHostToHost,
                           cudaMemcpyHostToDevice,
                           cudaMemcpyDeviceToHost,
                           cudaMemcpyDeviceToDevice,
                           cudaStreamCaptureModeGlobal,
                           cudaStreamCaptureModeThreadLocal,
                           cudaStreamCaptureModeRelaxed,
                           cudaStreamCaptureStatusNone,
                           cudaStreamCaptureStatusActive,
                           cudaStreamCaptureStatusInvalidated,
                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                           cudaLaunchAttributeProgrammaticStreamSerialization};
constexpr int expected_numbers[] = {75, 97, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 8, 6};

constexpr int blas_numbers[] = {CUBLAS_STATUS_SUCCESS,
                                CUBLAS_STATUS_NOT_INITIALIZED,
                                CUBLAS_STATUS_ALLOC_FAILED,
                                CUBLAS_STATUS_INVALID_VALUE,
                                CUBLAS_STATUS_EXECUTION_FAILED,
                                CUBLAS_STATUS_INTERNAL_ERROR,
                                CUBLAS_STATUS_NOT_SUPPORTED,
                                CUBLAS_OP_N,
                                CUBLAS_OP_T,
                                CUDA_R_32F,
                                CUDA_R_64F,
                                CUBLAS_COMPUTE_32F,
                                CUBLAS_COMPUTE_32F_PEDANTIC,
                                CUBLAS_COMPUTE_64F,
                                CUBLAS_COMPUTE_64F_PEDANTIC,
                                CUBLAS_COMPUTE_32F_FAST_16BF,
                                CUBLAS_COMPUTE_32F_FAST_TF32,
                                CUBLAS_GEMM_DEFAULT,
                                CUBLASLT_MATMUL_DESC_TRANSA,
                                CUBLASLT_MATMUL_DESC_TRANSB,
                                CUBLASLT_MATMUL_DESC_EPILOGUE,
                                CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                CUBLASLT_EPILOGUE_DEFAULT,
                                CUBLASLT_EPILOGUE_RELU,
                                CUBLASLT_EPILOGUE_BIAS,
                                CUBLASLT_EPILOGUE_RELU_BIAS,
                                CUBLASLT_EPILOGUE_GELU,
                                CUBLASLT_EPILOGUE_GELU_BIAS,
                                CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
                                CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                                CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                                CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
constexpr int expected_blas_numbers[] = {0,  1, 3, 7, 13, 14, 15, 0, 1, 0,  1,  68, 69, 70, 71, 75, 77,
                                         -1, 3, 4, 7, 8,  1,  2,  4, 6, 32, 36, 1,  5,  6,  7,  8};

template <std::size_t n>
constexpr bool are_equal(const int (&a)[n], const int (&b)[n]) {
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}
static_assert(are_equal(errors, expected_errors));
static_assert(are_equal(numbers, expected_numbers));
static_assert(are_equal(blas_numbers, expected_blas_numbers));

}  // namespace
