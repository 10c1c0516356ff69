#pragma once
/// \file
/// A device for another version of a leaf's kernels.

#include "gradus/device/device.hpp"
#include "gradus/kernels/version.hpp"

namespace gradus::test {

/// A GPU on which one leaf is another version, that with the functions F. The leaf's overloads for it call `version`.
template <class R, class... F>
struct VersionCuda : Cuda<R> {
  using Version = KernelVersion<F...>;
  inline static const Version* version = nullptr;  // set before the device is used
};

}  // namespace gradus::test
