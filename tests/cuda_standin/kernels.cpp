// Kernels: their attributes and launches, and the device's properties.

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "cuda_standin/device.hpp"
#include "gradus/gpu/grid_limits.hpp"
#include "gradus/gpu/host/block.hpp"
#include "gradus/util/error.hpp"

// The memory behind `extern __shared__ unsigned char memory[]` of gpu/nvcc/language.hpp. It has an initial value that is computed, because
// g++ calls the function that computes it, whether there is one or not.
namespace gradus::gpu {
static unsigned char first_byte() { return 0xFF; }
extern thread_local unsigned char memory[];
alignas(16) thread_local unsigned char memory[std::size_t{227} << 10] = {first_byte()};
}  // namespace gradus::gpu

namespace gradus::standin {
namespace {

namespace host = gpu::host;
constexpr std::size_t most_shared = sizeof gpu::memory;
std::map<const void*, std::size_t>& shared_allowed() {
  static auto& all = *new std::map<const void*, std::size_t>;
  return all;
}

std::size_t shared_limit(const void* kernel) {
  const auto at = shared_allowed().find(kernel);
  return at == shared_allowed().end() ? gpu::plain_shared_bytes : at->second;
}

void check(const cudaLaunchConfig_t& config, const void* kernel) {
  if (!gpu::refused_grid(config.gridDim, config.blockDim).empty())
    throw Refused{cudaErrorInvalidConfiguration, "the size of a launch"};
  if (config.dynamicSmemBytes > shared_limit(kernel))
    throw Refused{cudaErrorInvalidValue, "shared memory that was not allowed"};
}

bool starts_early(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization)
      return config.attrs[i].val.programmaticStreamSerializationAllowed != 0;
  }
  return false;
}

/// A kernel that starts early cannot reach device memory until its first thread has waited.
void run(const gpu::Grid& grid, bool early, const Call& call) {
  std::optional<host::DeviceAccess> access;
  const auto open = [&] { access.emplace(); };
  try {
    call.check();
  } catch (const Error& error) {
    throw Fault{cudaErrorIllegalAddress, error.what()};
  }
  try {
    if (!early) open();
    host::run(grid, shared_limit(call.kernel), call.thread,
              early ? std::function<void()>(open) : std::function<void()>());
  } catch (const Error& error) {
    throw Fault{cudaErrorLaunchFailure, error.what()};
  }
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t* config, Call call) {
  return answer([&] {
    check(*config, call.kernel);
    const gpu::Grid grid{config->gridDim, config->blockDim, config->dynamicSmemBytes};
    const bool early = starts_early(*config);
    std::vector<Access> accesses = call.accesses;
    add_task(config->stream, {"a kernel", [=] { run(grid, early, call); }, std::move(accesses)});
  });
}

}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
using namespace gradus::standin;

/// An executable keeps no table from a kernel's address to its name: all have this one.
cudaError_t cudaFuncGetName(const char** name, const void*) {
  return answer([&] { *name = "_ZN6gradus12_GLOBAL__N_111some_kernelIfEEvN6gradus4ViewIfLi1ENS1_3GpuEEE"; });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  return answer([&] {
    if (machine().first_code != cudaSuccess) throw Refused{machine().first_code, ""};
    *attributes = {0, machine().code};
  });
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value) {
  return answer([&] {
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 || std::size_t(value) > most_shared)
      throw Refused{cudaErrorInvalidValue, "an attribute of a kernel"};
    shared_allowed()[kernel] = static_cast<std::size_t>(value);
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return answer([&] {
    if (machine().driver != cudaSuccess) throw Refused{machine().driver, ""};
    *count = machine().count;
  });
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "stand-in");
  std::memcpy(properties->uuid.bytes, machine().uuid.data(),
              std::min(machine().uuid.size(), sizeof properties->uuid.bytes));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = which == cudaDevAttrComputeCapabilityMajor ? machine().capability : static_cast<int>(most_shared);
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
// NOLINTEND(readability-identifier-naming)
