#pragma once
/// \file
/// The sources that this program was built from.

#include <utility>
#include <vector>

namespace gradus::test {

/// Every kernel source with its SHA-256 at compile time; the files may have changed since. tests/measure/gpu_check/gpu_result.py
/// writes the definition into the build folder.
extern const std::vector<std::pair<const char*, const char*>> kernel_sources;

}  // namespace gradus::test
