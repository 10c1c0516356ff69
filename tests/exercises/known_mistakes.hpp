#pragma once
/// \file
/// Which known mistake a student's code makes. It is named only if it behaves as the wrong twin does on every fixed
/// input: the same numbers, the same errors, the same judges. Otherwise nothing is named.

#include <functional>
#include <string>
#include <vector>

#include "exercises/grader.hpp"

namespace gradus::test {

/// Whether the judges that run a code once or more for each element judge a case: dual numbers, and finite
/// differences, which take eight runs. Whole layers have too many elements; parity and golden values judge their
/// gradients. Finite differences do not judge kernels, whose threads take turns.
bool has_dual_numbers(const GradedCase& one);
bool has_finite_differences(const Graded& exercise, const GradedCase& one);

/// What a run did: the error that it threw, or its numbers.
struct Behaviour {
  bool is_error = false;
  Run run;
};
Behaviour behaviour(const Runner& runner, const Values& values, const RunOptions& options);

/// The same outputs up to rounding; with `gradients` also the same gradients, and inputs and gaps treated alike.
bool is_same(const Behaviour& a, const Behaviour& b, bool gradients);

/// The fixed inputs of a case: random numbers of two seeds, and the golden file's.
struct Inputs {
  std::string where;  ///< for the report
  Values values;
};
constexpr const char* random_numbers = "random numbers";
std::vector<Inputs> fixed_inputs(const GradedCase& one);

struct NamedMistake {
  std::string name;
  bool only_forward = false;  ///< the outputs are those of the twin; the gradients are neither its own nor judged
};
std::vector<NamedMistake> known_mistakes(const Graded& exercise, const std::vector<Runner>& student);

}  // namespace gradus::test
