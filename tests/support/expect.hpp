#pragma once
/// \file
/// Verdicts as Catch2 checks: each is reported with component, device, judge and tensor.

#include "support/catch.hpp"
#include "support/judges.hpp"

namespace gradus::test {

inline void expect(const Verdicts& verdicts) {
  REQUIRE_FALSE(verdicts.empty());
  for (const Verdict& v : verdicts) {
    INFO(v.component << " on " << v.device << ", " << v.judge << ", " << v.tensor << ": error " << v.error
                     << ", bound " << v.bound);
    CHECK(v.passed());
  }
}

}  // namespace gradus::test
