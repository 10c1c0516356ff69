#pragma once
/// \file
/// What tests can ask of the stand-in for CUDA's libraries.

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace gradus::standin {

/// The order in which work runs that no stream and no event orders: as the calls came; the latest first; or drawn.
enum class Order { as_asked, latest_first, shuffled };
void set_order(Order order, unsigned seed = 1);

/// The GPU that the process finds.
struct Machine {
  cudaError_t driver = cudaSuccess;  ///< what cudaGetDeviceCount returns
  int count = 1;
  int capability = 9, code = 90;         ///< compute capability, and that of the kernels' code
  cudaError_t first_code = cudaSuccess;  ///< what asking for a kernel's attributes returns
  std::string uuid = "the stand-in's";
};
Machine& machine();

/// How many pieces of work were asked for and have not run.
std::size_t waiting();

/// After a fault: drops all work that has not run, ends all captures, and forgets the fault. Streams and memory stay.
void start_anew();

}  // namespace gradus::standin
