#pragma once
/// \file
/// What an exercise inherits. An exercise is a struct with `each_case(f)`, which calls f(case, golden file) for each
/// case, and may have bounds as a third argument. The grader and the student's process both read it.

#include <string>

#include "support/case.hpp"
#include "support/judges.hpp"

namespace gradus::test {

struct Exercise {
  static constexpr bool is_kernel = false;
  /// The component with the right code, for the judges. An exercise may hide it.
  template <class Case>
  static Component judged(const Case& c) {
    return component(c);
  }
};

}  // namespace gradus::test
