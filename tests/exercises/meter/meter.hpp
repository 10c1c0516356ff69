#pragma once
/// \file
/// The coalescing meter. The kernels are compiled by clang, which calls a function at each load and store; so every
/// address is known. The accesses of one instruction by the 32 lanes of a warp form a request, as on a GPU. A request
/// to global memory moves whole sectors of 32 bytes; one to shared memory takes a turn for each word that the same
/// bank must deliver.

#include <cstdint>
#include <string>

#include "gradus/device/cuda.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// Records what kernels do from now on. `name`: for the report.
void start_meter(const std::string& name);

/// Writes what was recorded as JSON, one entry for each instruction: its address in the program, "load" or "store",
/// "global" or "shared", requests, sectors and turns of all requests, the bytes that were moved and the bytes that
/// lanes asked for.
void print_meter(const std::string& path);

/// Runs forward and backward of a case once, with the meter on.
template <class Dev, class Case>
void meter(const std::string& name, const Case& c) {
  gpu::host::protect_device_memory(false);
  start_meter(name);
  run_case<Dev>(c, random_values(describe(c)), {});
}

}  // namespace gradus::test
