#pragma once
/// \file
/// The values of the option `--device`.

namespace gradus {

/// Where to compute. `automatic` takes a GPU if there is one and the program was built with CUDA.
enum class DeviceChoice { automatic, cpu, cuda };

}  // namespace gradus
