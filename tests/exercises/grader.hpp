#pragma once
/// \file
/// The grader of an exercise: the judges, the right code, and the wrong twins, all as the repository has them. The
/// student's code runs in another process (process.hpp) and looks to the judges like one more device.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "exercises/exercise.hpp"

namespace gradus::test {

/// A case as the grader needs it.
struct GradedCase {
  Component component;
  std::string golden_file;  ///< "" if there is none
  Bounds bounds;
};

/// A wrong twin: one runner for each case.
struct KnownMistake {
  std::string name;
  std::vector<Runner> on;
};

struct Graded {
  std::string chapter;  ///< of its twins in tests/wrong
  bool is_kernel = false;
  std::vector<GradedCase> cases;
  std::vector<KnownMistake> mistakes;
  std::vector<std::pair<std::string, std::string>> errors;  ///< mistakes that end with an error: name, its words
  bool has_contract = true;  ///< false: the case has tensors of its own, and takes no other shapes
};

template <class Exercise>
Graded graded(const std::string& chapter) {
  Graded g{chapter, Exercise::is_kernel, {}, {}, {}, true};
  Exercise::each_case([&](const auto& one, const std::string& golden_file, const Bounds& bounds = {}) {
    g.cases.push_back({Exercise::judged(one), golden_file, bounds});
  });
  return g;
}

/// The twin `Wrong` in the cases with these numbers, or in all; in the others the right code.
template <class Exercise, class Wrong>
KnownMistake mistake(const std::string& name, const std::vector<std::size_t>& where = {}) {
  KnownMistake m{name, {}};
  Exercise::each_case([&](const auto& one, const auto&...) {
    const bool is_wrong = where.empty() || std::count(where.begin(), where.end(), m.on.size()) != 0;
    m.on.push_back(is_wrong ? runner<Wrong>(name, one) : runner<Cpu<double>>(name, one));
  });
  return m;
}

/// The errors of the host layer if a lane returns before a function of its warp.
inline std::vector<std::pair<std::string, std::string>> lane_errors(const std::string& name) {
  return {{name, "waits for a lane that has returned"}, {name, "a lane returned while its warp waits"}};
}

/// grade_... PROGRAM OUTPUT REPORT: grades the student's process PROGRAM, whose own output goes to the file OUTPUT,
/// and writes the report as JSON. The exit status is 0 if a report was written.
int grade(const Graded& exercise, int count, char** arguments);

}  // namespace gradus::test
