#pragma once
/// \file
/// Long runs on the host layer, faster.

#include "gradus/gpu/host/memory.hpp"

namespace gradus::test {

/// Device memory is accessible as long as this lives. The judges of the leaves ran with protection.
struct Unprotected {
  Unprotected() { gpu::host::protect_device_memory(false); }
  ~Unprotected() { gpu::host::protect_device_memory(true); }
};

}  // namespace gradus::test
