#pragma once
/// \file
/// Devices whose memory the host can read during a step.

#include <type_traits>

#include "gradus/device/device.hpp"

namespace gradus {

/// Dev itself if the host can read its memory; else Cpu with the same scalar.
template <class Dev>
using ReadableDevice = std::conditional_t<std::is_same_v<typename Dev::Space, Host>, Dev, Cpu<typename Dev::Real>>;

}  // namespace gradus
