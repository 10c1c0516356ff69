#pragma once
/// \file
/// The switch for kernels that start early.

#include "gradus/gpu/runtime.hpp"

namespace gradus::test {

/// While it exists, kernels may start while earlier work still runs.
class EarlyStarts {
 public:
  EarlyStarts() { gpu::allow_early_starts(true); }
  ~EarlyStarts() { gpu::allow_early_starts(false); }
  EarlyStarts(const EarlyStarts&) = delete;
  EarlyStarts& operator=(const EarlyStarts&) = delete;
};

}  // namespace gradus::test
