#pragma once
/// \file
/// How the stand-in refuses a call. CUDA's functions return a number; its text gets ours behind it, which says why.

#include <cuda_runtime.h>

#include <string>
#include <utility>

namespace gradus::standin {

/// This call is refused; the next one may succeed.
struct Refused {
  cudaError_t code;
  std::string why;
};
/// Work has failed. As in CUDA, every later call returns the same error, until `start_anew`.
struct Fault {
  cudaError_t code;
  std::string why;
};

/// Stores the error of this thread's last call, and the reason, which the next cudaGetErrorString(code) tells.
cudaError_t note(cudaError_t code, const std::string& why);
const char* kept(const std::string& text);  ///< for texts that a library returns: they live as long as the process

}  // namespace gradus::standin
