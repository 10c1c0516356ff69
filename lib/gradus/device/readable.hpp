#pragma once
/// \file
/// Devices whose memory the host can read while they compute.

#include <type_traits>

#include "gradus/device/device.hpp"

namespace gradus {

/// The device itself if it is one of them, else a processor of the same scalar.
template <class Dev>
using ReadableDevice = std::conditional_t<std::is_same_v<typename Dev::Space, Host>, Dev, Cpu<typename Dev::Real>>;

}  // namespace gradus
