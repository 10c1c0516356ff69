#pragma once
/// \file
/// Wrong twins: devices with one wrong overload; each is a known mistake of public tutorials. The judges that
/// its line in tests/wrong names must reject it.

#include <string>
#include <vector>

#include "support/case.hpp"
#include "support/judges.hpp"

namespace gradus::test {

/// A component on a wrong device, and the right one for comparison.
struct TwinCase {
  Component component;
  Runner runner;
  std::string golden_file;  ///< for the golden judge; empty if it is not used
};

struct Twin {
  std::string name;
  const int* calls;  ///< how often the wrong overload ran: a twin that never ran proves nothing
  std::vector<TwinCase> cases;
};

/// A case on the twin device `Dev`; its oracle stays right.
template <class Dev, class Case>
TwinCase twin_case(const std::string& name, const Case& c, const std::string& golden_file = "") {
  return {component(c), runner<Dev>(name, c), golden_file};
}

/// A case on twins of all devices, including the oracle's: `Wrong<Cpu<double>>`, `Wrong<Reference<double>>` and
/// `Wrong<Reference<Dual>>`. Only golden values can see a mistake that all of them share.
template <template <class> class Wrong, class Case>
TwinCase shared_twin_case(const std::string& name, const Case& c, const std::string& golden_file) {
  return {{describe(c), {runner<Wrong<Reference<double>>>(name, c)}, runner<Wrong<Reference<Dual>>>(name, c)},
          runner<Wrong<Cpu<double>>>(name, c),
          golden_file};
}

/// Checks (as Catch2 assertions) that the twins of a chapter, or of a leaf whose case names its sizes, are those that
/// tests/wrong has of it (twin_rows.hpp), that each wrong overload ran, and that every judge of its line rejects it in
/// every case. A judge named as "-judge" cannot see the mistake and must accept it. GRADUS_SHOW_WRONG=name prints the
/// verdicts on one twin, and then which judges rejected it.
void expect_rejected(const std::string& chapter, const std::vector<Twin>& twins, const std::string& leaf = "");

}  // namespace gradus::test
