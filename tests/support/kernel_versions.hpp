#pragma once
/// \file
/// The judges on other versions of a leaf's kernels.

#include "support/expect.hpp"
#include "support/kernels.hpp"
#include "support/version_cuda.hpp"

namespace gradus::test {

/// Calls `judge` with a runner of each version: Device is a VersionCuda.
template <class Device, class Case, class Judge>
void each_version(const Case& c, const Judge& judge) {
  REQUIRE(!Device::Version::all().empty());
  for (const typename Device::Version* version : Device::Version::all()) {
    Device::version = version;
    judge(runner<Device>(version->name + " Cuda", c));
  }
}

/// The judges of kernels on each version.
template <class Device, class Case>
void judge_versions(const Case& c) {
  const Component judged = component(c);
  each_version<Device>(c, [&](const Runner& r) {
    expect(parity(judged, r));
    expect(contract(judged, r));
    expect(thread_orders(judged, r));
    expect(wide_grids(judged, r));
    if (r.is_double) expect(dual_numbers(judged, r));
  });
}

}  // namespace gradus::test
