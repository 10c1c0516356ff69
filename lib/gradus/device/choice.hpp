#pragma once
/// \file
/// The values of the option `--device`.

#include "gradus/util/names.hpp"

namespace gradus {

/// Where to compute. `automatic` takes a GPU if there is one and the program was built with CUDA.
enum class DeviceChoice { automatic, cpu, cuda };

template <>
struct Names<DeviceChoice> {
  static constexpr const char* noun = "device";
  static constexpr Name<DeviceChoice> table[] = {
      {DeviceChoice::automatic, "auto"}, {DeviceChoice::cpu, "cpu"}, {DeviceChoice::cuda, "cuda"}};
};

}  // namespace gradus
