#include "exercises/known_mistakes.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/io/safetensors.hpp"
#include "gradus/util/error.hpp"
#include "support/twin_rows.hpp"

namespace gradus::test {
namespace {

/// Rounding differs between a student's formula and the twin's; mistakes are larger.
constexpr double rounding = 1e-9;

/// An overflow ends as infinity or as NaN, depending on the order of the operations.
bool is_same(double a, double b, double size) {
  if (!std::isfinite(a) || !std::isfinite(b)) return !std::isfinite(a) && !std::isfinite(b);
  return std::abs(a - b) <= rounding * size;
}

double largest(const Named& all) {
  double size = 0;
  for (const auto& [name, values] : all) {
    for (const double x : values) size = std::isfinite(x) ? std::max(size, std::abs(x)) : size;
  }
  return size;
}

bool is_same(const Named& a, const Named& b) {
  if (a.size() != b.size()) return false;
  const double floor = 1e-3 * std::max(largest(a), largest(b));
  for (const auto& [name, x] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.size() != x.size()) return false;
    const std::vector<double>& y = other->second;
    const double size = std::max({floor, largest({{name, x}}), largest({{name, y}})});
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!is_same(x[i], y[i], size)) return false;
    }
  }
  return true;
}

/// The judges of a twin, as tests/wrong has them.
std::vector<std::string> judges_of(const std::string& twin, const std::string& chapter) {
  for (const TwinRow& row : twin_rows()) {
    if (row.name == twin && row.chapter == chapter) return row.judges;
  }
  fail("tests/wrong has no twin " + twin + " of " + chapter);
}

/// The ways to run backward that show overwritten gradients and touched gaps.
std::vector<RunOptions> ways() {
  RunOptions from_one, strided;
  from_one.accumulated_from = 1;
  strided.strided = true;
  return {RunOptions{}, from_one, strided};
}

/// A tensor, or its gradient, with one element less along one axis: the contract demands an error.
std::vector<RunOptions> wrong_shapes(const Component& c) {
  std::vector<RunOptions> all;
  for (const TensorSpec& t : c.description.tensors()) {
    for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
      for (const std::string& name : {t.name, "d" + t.name}) {
        if (t.shape[axis] == 0 || (name != t.name && !t.differentiable)) continue;
        RunOptions o;
        o.shrunk = name, o.shrunk_axis = axis;
        all.push_back(o);
      }
    }
  }
  return all;
}

/// The right code, the student's and a twin's on one input.
struct Comparison {
  bool forward = true, whole = true;  ///< the student's code behaves as the twin
  bool is_wrong_forward = false;      ///< the twin's outputs are not the right ones
  bool is_wrong = false;
};

void compare_numbers(Comparison& c, const GradedCase& one, const Runner& student, const Runner& twin) {
  for (const Inputs& at : fixed_inputs(one)) {
    for (const RunOptions& way : ways()) {
      const Behaviour right = behaviour(one.component.devices.front(), at.values, way);
      const Behaviour wrong = behaviour(twin, at.values, way), found = behaviour(student, at.values, way);
      c.is_wrong_forward = c.is_wrong_forward || !is_same(right, wrong, false);
      c.is_wrong = c.is_wrong || !is_same(right, wrong, true);
      c.forward = c.forward && is_same(found, wrong, false);
      c.whole = c.whole && is_same(found, wrong, true);
      if (!c.forward) return;
    }
  }
}

/// Shapes that do not fit: the student's code throws where the twin does. If the contract judge is not in the twin's
/// row, it may also throw where the right code does: most twins check no shapes of their own.
void compare_shapes(Comparison& c, const GradedCase& one, const Runner& student, const Runner& twin,
                    bool is_judged) {
  const Values at = random_values(one.component.description, 3);
  for (const RunOptions& shape : wrong_shapes(one.component)) {
    const bool right = behaviour(one.component.devices.front(), at, shape).is_error;
    const bool wrong = behaviour(twin, at, shape).is_error, found = behaviour(student, at, shape).is_error;
    if (is_judged) {
      c.is_wrong = c.is_wrong || right != wrong;
      c.is_wrong_forward = c.is_wrong_forward || (right != wrong && shape.shrunk[0] != 'd');
    }
    if (found != wrong && (is_judged || found != right)) c.whole = c.forward = false;
    if (!c.forward) return;
  }
}

/// Whether finite differences, the judge that compares a code with itself, says the same of both.
bool agree_with_themselves(const GradedCase& one, const Runner& student, const Runner& twin) {
  const auto says = [&](const Runner& r) { return rejected(finite_differences(one.component, r, one.bounds)); };
  return says(student) == says(twin);
}

Comparison compared(const Graded& exercise, const std::vector<Runner>& student, const KnownMistake& mistake) {
  Comparison c;
  for (std::size_t i = 0; c.forward && i < exercise.cases.size(); ++i) {
    const GradedCase& one = exercise.cases[i];
    compare_numbers(c, one, student[i], mistake.on[i]);
    if (!c.forward || exercise.is_kernel || !exercise.has_contract) continue;
    const std::vector<std::string> row = judges_of(mistake.name, exercise.chapter);
    compare_shapes(c, one, student[i], mistake.on[i], std::count(row.begin(), row.end(), "contract") != 0);
  }
  for (std::size_t i = 0; c.whole && i < exercise.cases.size(); ++i) {
    if (has_finite_differences(exercise, exercise.cases[i])) {
      c.whole = agree_with_themselves(exercise.cases[i], student[i], mistake.on[i]);
    }
  }
  return c;
}

}  // namespace

bool has_dual_numbers(const GradedCase& one) {
  std::size_t elements = 0;
  for (const TensorSpec& t : one.component.description.tensors()) {
    if (t.role != Role::output && t.differentiable) elements += t.size();
  }
  return elements != 0 && elements <= 300;
}

bool has_finite_differences(const Graded& exercise, const GradedCase& one) {
  return !exercise.is_kernel && has_dual_numbers(one);
}

Behaviour behaviour(const Runner& runner, const Values& values, const RunOptions& options) {
  try {
    return {false, runner.run(values, options)};
  } catch (const Error&) {
    return {true, {}};
  }
}

bool is_same(const Behaviour& a, const Behaviour& b, bool gradients) {
  if (a.is_error || b.is_error) return a.is_error == b.is_error;
  if (!is_same(a.run.output, b.run.output)) return false;
  return !gradients || (is_same(a.run.gradient, b.run.gradient) && a.run.gaps_untouched == b.run.gaps_untouched &&
                        a.run.inputs_unchanged == b.run.inputs_unchanged);
}

std::vector<Inputs> fixed_inputs(const GradedCase& one) {
  const Description& d = one.component.description;
  std::vector<Inputs> all{{random_numbers, random_values(d, 2)}, {random_numbers, random_values(d, 3)}};
  if (one.golden_file.empty()) return all;
  const auto stored = SafetensorsFile::load(std::string(GRADUS_GOLDEN) + "/" + one.golden_file + ".safetensors");
  Inputs golden{"the golden file " + one.golden_file, {}};
  for (const TensorSpec& t : d.tensors()) {
    const std::string name = t.role == Role::output ? "d" + t.name : t.name;
    golden.values.value[name] = stored.values<double>(name);
  }
  all.push_back(golden);
  return all;
}

std::vector<NamedMistake> known_mistakes(const Graded& exercise, const std::vector<Runner>& student) {
  std::vector<NamedMistake> whole, forward;
  const auto add = [](std::vector<NamedMistake>& to, const std::string& name, bool only_forward) {
    const auto is_it = [&](const NamedMistake& m) { return m.name == name; };  // several ways to make one mistake
    if (std::none_of(to.begin(), to.end(), is_it)) to.push_back({name, only_forward});
  };
  for (const KnownMistake& mistake : exercise.mistakes) {
    const Comparison c = compared(exercise, student, mistake);
    if (!c.is_wrong) continue;
    if (c.whole) {
      add(whole, mistake.name, false);
    } else if (c.forward && c.is_wrong_forward) {
      add(forward, mistake.name, true);
    }
  }
  return whole.empty() ? forward : whole;
}

}  // namespace gradus::test
