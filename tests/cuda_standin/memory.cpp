// CUDA's functions for memory and copies.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>

#include "cuda_standin/device.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/util/error.hpp"

namespace gradus::standin {
namespace {

std::byte* at(void* memory) { return static_cast<std::byte*>(memory); }

/// Larger pieces are work memory of the libraries, which the stand-in never touches. Filled, they would make each change of
/// protection slow.
constexpr std::size_t most_filled = std::size_t{16} << 20;

/// Page-locked memory, by its first byte.
std::map<const std::byte*, std::unique_ptr<std::byte[]>>& locked_pieces() {
  static auto& all = *new std::map<const std::byte*, std::unique_ptr<std::byte[]>>;
  return all;
}
std::map<const std::byte*, std::size_t>& locked_bytes() {
  static auto& all = *new std::map<const std::byte*, std::size_t>;
  return all;
}
bool is_locked(const void* memory) {
  const auto after = locked_bytes().upper_bound(static_cast<const std::byte*>(memory));
  if (after == locked_bytes().begin()) return false;
  const auto& [piece, bytes] = *std::prev(after);
  return static_cast<const std::byte*>(memory) < piece + bytes;
}

/// What a call refuses is a fault of the work, if it has become wrong when it runs.
void refuse_unless_on_device(const char* what, const void* memory, std::size_t bytes) {
  try {
    check_on_device(what, memory, bytes);
  } catch (const Fault& fault) {
    throw Refused{cudaErrorInvalidValue, fault.why};
  }
}

struct Side {
  const char* what;
  const void* memory;
  bool on_device;
};
Task copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Side sides[] = {
      {"a copy: the destination", to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice},
      {"a copy: the source", from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice}};
  for (const Side& s : sides) {
    if (s.on_device) refuse_unless_on_device(s.what, s.memory, bytes);
    if (!s.on_device && gpu::host::is_device_memory(s.memory))
      throw Refused{cudaErrorInvalidValue, std::string(s.what) + " lies in device memory"};
  }
  const auto run = [to, from, bytes, first = sides[0], second = sides[1]] {
    for (const Side& s : {first, second}) {
      if (s.on_device) check_on_device(s.what, s.memory, bytes);
    }
    const gpu::host::DeviceAccess access;
    std::memcpy(to, from, bytes);
  };
  return {"a copy", run, {{"the destination", to, bytes, true}, {"the source", from, bytes, false}}};
}

Task fill(void* memory, int value, std::size_t bytes) {
  refuse_unless_on_device("cudaMemset", memory, bytes);
  const auto run = [=] {
    check_on_device("cudaMemset", memory, bytes);
    const gpu::host::DeviceAccess access;
    std::memset(memory, value, bytes);
  };
  return {"cudaMemset", run, {{"the memory", memory, bytes, true}}};
}

bool has_pageable_side(const void* to, const void* from, cudaMemcpyKind kind) {
  return (kind == cudaMemcpyHostToDevice && !is_locked(from)) || (kind == cudaMemcpyDeviceToHost && !is_locked(to));
}

/// Copies and fills without a stream: the null stream's, and the host waits.
void run_now(Task task) {
  refuse_if_unsafe(task.what.c_str());
  add_task(nullptr, std::move(task));
  run_until(device().null_stream.line.tails);
}

}  // namespace
}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
using namespace gradus::standin;

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return answer([&] {
    *memory = nullptr;
    refuse_if_unsafe("cudaMalloc");
    if (bytes == 0) return;
    try {
      *memory = gradus::gpu::host::take_memory(bytes, bytes < most_filled);
    } catch (const gradus::Error& error) {
      throw Refused{cudaErrorMemoryAllocation, error.what()};
    }
  });
}

/// CUDA: "may perform implicit synchronization". All work is done before, because its memory must live as long.
cudaError_t cudaFree(void* memory) {
  return answer([&] {
    if (memory == nullptr) return;
    refuse_if_unsafe("cudaFree");
    run_all();
    try {
      gradus::gpu::host::give_memory_back(at(memory));
    } catch (const gradus::Error& error) {
      throw Refused{cudaErrorInvalidValue, error.what()};
    }
  });
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return answer([&] {
    refuse_if_unsafe("cudaMallocHost");
    auto piece = std::make_unique<std::byte[]>(std::max<std::size_t>(bytes, 1));
    *memory = piece.get();
    locked_bytes()[piece.get()] = bytes;
    locked_pieces()[at(*memory)] = std::move(piece);
  });
}
cudaError_t cudaFreeHost(void* memory) {
  return answer([&] {
    refuse_if_unsafe("cudaFreeHost");
    run_all();
    if (locked_bytes().erase(at(memory)) == 0) throw Refused{cudaErrorInvalidValue, "it is no page-locked memory"};
    locked_pieces().erase(at(memory));
  });
}

/// CUDA: a copy from or to pageable memory "might be synchronous"; no program may rely on it, so it is not. Nor can a replay repeat
/// such a copy, because it passes through the driver's own memory.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return answer([&] {
    if (has_pageable_side(to, from, kind)) refuse_in_capture(stream_of(stream), "a copy of pageable memory");
    if (bytes != 0) add_task(stream, copy(to, from, bytes, kind));
  });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return answer([&] { run_now(copy(to, from, bytes, kind)); });
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return answer([&] {
    if (bytes != 0) add_task(stream, fill(memory, value, bytes));
  });
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return answer([&] { run_now(fill(memory, value, bytes)); });
}
// NOLINTEND(readability-identifier-naming)
