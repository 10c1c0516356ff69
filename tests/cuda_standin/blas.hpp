#pragma once
/// \file
/// What cuBLAS and cublasLt share.

#include <cublasLt.h>

#include <mutex>
#include <string>

#include "cuda_standin/device.hpp"
#include "cuda_standin/product.hpp"

/// A handle of cuBLAS, which also stands for one of cublasLt.
struct cublasContext {
  cudaStream_t stream = nullptr;
  void* workspace = nullptr;  ///< the caller's; null: the library's own
  std::size_t workspace_bytes = 0;
};

namespace gradus::standin {

cublasStatus_t note(cublasStatus_t status, const std::string& why);
bool is_handle(const void* handle);

/// How much of a factor a type of computation reads. BlasRefused if the project has no use for it.
Kind kind_of(cublasComputeType_t compute);

/// As `answer`. The status of what CUDA itself refuses, such as an allocation in a capture, is CUBLAS_STATUS_EXECUTION_FAILED.
template <class F>
cublasStatus_t answer_blas(F&& f) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  std::string why;
  const cudaError_t result = answer([&] {
    try {
      f();
    } catch (const BlasRefused& refused) {
      status = refused.status, why = refused.why;
    }
  });
  if (result != cudaSuccess) return note(CUBLAS_STATUS_EXECUTION_FAILED, cudaGetErrorString(result));
  return note(status, why);
}

}  // namespace gradus::standin
