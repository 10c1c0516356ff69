#pragma once
/// \file
/// What this program was built from.

#include <utility>
#include <vector>

namespace gradus::test {

/// Every kernel source, and its SHA-256 when it was compiled: the files may be others by now. tests/gpu_check/gpu_result.py writes
/// the definition beside the objects.
extern const std::vector<std::pair<const char*, const char*>> kernel_sources;

}  // namespace gradus::test
