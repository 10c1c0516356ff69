#pragma once
/// \file
/// A case that names its sizes, `static std::vector<XCase> sizes()`, needs no test of its own: sizes.py makes x's tests
/// from these functions. The first size has golden values if tests/golden has x.safetensors, and judges x's twins.

#include <set>
#include <string>
#include <vector>

#include "support/case.hpp"
#include "support/judges.hpp"

namespace gradus::test {

/// Whether all elements of a case are few enough that each is moved in finite differences.
inline bool is_small(const Description& d) {
  std::size_t elements = 0;
  for (const TensorSpec& t : d.tensors()) elements += t.size();
  return elements <= 400;
}

/// Finite differences and dual numbers at all small sizes. The first size of each name gives the rows of `make gradients`.
template <class Case>
Verdicts gradients_of_sizes() {
  Verdicts all;
  std::set<std::string> names;
  for (const Case& c : Case::sizes()) {
    const Component judged = component(c);
    if (names.insert(judged.description.component).second) {
      append(all, gradients(judged));
      continue;
    }
    for (const Runner& r : judged.devices) {
      if (!r.is_double || !is_small(judged.description)) continue;
      append(all, finite_differences(judged, r));
      append(all, dual_numbers(judged, r));
    }
  }
  return all;
}

/// Parity and contract of each device at all sizes.
template <class Case>
Verdicts devices_of_sizes() {
  Verdicts all;
  for (const Case& c : Case::sizes()) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      append(all, parity(judged, r));
      append(all, contract(judged, r));
    }
  }
  return all;
}

}  // namespace gradus::test
