#pragma once
/// \file
/// Common functions of the stand-in's tests.

#include "cuda_standin/stand_in.hpp"
#include "lib/gpu/on_device.hpp"

namespace gradus::test {

/// After each test of mistakes the stand-in begins anew, whatever the test left.
struct Anew {
  Anew() = default;
  ~Anew() {
    standin::set_order(standin::Order::as_asked);
    standin::start_anew();
  }
  Anew(const Anew&) = delete;
  Anew& operator=(const Anew&) = delete;
};

inline cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}
inline cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  return event;
}
inline void* new_memory(std::size_t bytes) {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, bytes) == cudaSuccess);
  return memory;
}

/// The text of the last error of a call.
inline std::string text_of(cudaError_t error) { return cudaGetErrorString(error); }

}  // namespace gradus::test
