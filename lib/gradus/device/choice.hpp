#pragma once
/// \file
/// What `--device` chooses from.

#include "gradus/util/names.hpp"

namespace gradus {

/// On what to compute. By itself a GPU is taken where there is one, in a program that was built for it.
enum class DeviceChoice { automatic, cpu, cuda };

template <>
struct Names<DeviceChoice> {
  static constexpr const char* noun = "device";
  static constexpr Name<DeviceChoice> table[] = {
      {DeviceChoice::automatic, "auto"}, {DeviceChoice::cpu, "cpu"}, {DeviceChoice::cuda, "cuda"}};
};

}  // namespace gradus
