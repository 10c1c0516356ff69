#include "cuda_standin/errors.hpp"

#include <map>
#include <set>

#include "cuda_standin/device.hpp"

namespace gradus::standin {
namespace {

thread_local cudaError_t last = cudaSuccess;

/// The last reason for each code, of all threads.
std::map<cudaError_t, std::string>& reasons() {
  static auto& all = *new std::map<cudaError_t, std::string>;
  return all;
}

const char* text(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    case cudaErrorStreamCaptureUnjoined:
      return "capturing stream has unjoined work";
    case cudaErrorStreamCaptureIsolation:
      return "dependency created on uncaptured work in another stream";
    default:
      return "an error of CUDA";
  }
}

}  // namespace

cudaError_t note(cudaError_t code, const std::string& why) {
  last = code;
  if (!why.empty()) reasons()[code] = why;
  return code;
}

const char* kept(const std::string& text) {
  static auto& all = *new std::set<std::string>;
  return all.insert(text).first->c_str();
}

}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
using namespace gradus::standin;

cudaError_t cudaPeekAtLastError() { return device().fault != cudaSuccess ? device().fault : last; }
cudaError_t cudaGetLastError() {
  const cudaError_t found = cudaPeekAtLastError();
  last = cudaSuccess;
  return found;
}
const char* cudaGetErrorString(cudaError_t error) {
  const std::lock_guard lock(device().one_at_a_time);
  const auto why = reasons().find(error);
  return kept(std::string(text(error)) + (why == reasons().end() ? "" : " (" + why->second + ")"));
}
// NOLINTEND(readability-identifier-naming)
