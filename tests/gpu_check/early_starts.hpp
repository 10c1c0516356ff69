#pragma once
/// \file
/// Steps whose kernels may start early, beside those whose kernels wait.

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
