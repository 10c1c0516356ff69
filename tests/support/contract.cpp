// The contract judge: the promises of every leaf besides its formula.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gradus/util/error.hpp"
#include "support/judges.hpp"

namespace gradus::test {
namespace {

using Vector = std::vector<double>;

struct Contract {
  const Component& component;
  const Runner& runner;
  Verdicts verdicts;

  void say(const std::string& what, const std::string& tensor, double error, double bound) {
    verdicts.push_back(
        {"contract: " + what, component.description.component, tensor, runner.device, error, bound, 0});
  }
  double rounding() const { return runner.is_double ? 1e-12 : 1e-5; }
};

void judge_accumulation(Contract& k, const Values& at, const Run& once) {
  RunOptions twice, from_one;
  twice.backward_times = 2;
  from_one.accumulated_from = 1;
  const Run doubled = k.runner.run(at, twice), raised = k.runner.run(at, from_one);
  for (const TensorSpec& t : k.component.description.tensors()) {
    if (t.role == Role::output || !t.differentiable) continue;
    Vector expected_twice = once.gradient.at(t.name), expected_raised = expected_twice;
    for (double& x : expected_twice) x *= t.accumulated ? 2 : 1;
    for (double& x : expected_raised) x += t.accumulated ? 1 : 0;
    if (k.runner.is_double && !t.zero_by_theorem) {
      k.say("run twice", "d" + t.name, relative_error(doubled.gradient.at(t.name), expected_twice), 1e-12);
    }
    k.say("added to what was there", "d" + t.name, relative_error(raised.gradient.at(t.name), expected_raised),
          k.rounding());
  }
}

/// After a gap of 3 elements few rows begin at a multiple of 16 bytes, so a kernel must not read 16 bytes at a time.
/// After a gap of 4 all rows do, if they did without a gap.
void judge_strides(Contract& k, const Values& at, const Run& once, std::size_t gap) {
  RunOptions strided;
  strided.strided = true;
  strided.gap = gap;
  const Run gapped = k.runner.run(at, strided);
  k.say("gaps between rows are left alone", "all", gapped.gaps_untouched ? 0 : 1, 0);
  for (const auto& [name, y] : once.output) {
    k.say("strided views", name, relative_error(gapped.output.at(name), y), k.rounding());
  }
  for (const auto& [name, g] : once.gradient) {
    k.say("strided views", "d" + name, relative_error(gapped.gradient.at(name), g, 1), k.rounding());
  }
}

/// Backward gives the same gradients where dx is dy.
void judge_in_place(Contract& k, const Values& at, const Run& once) {
  RunOptions in_place;
  in_place.in_place = true;
  for (const TensorSpec& place : k.component.description.tensors()) {
    if (place.in_place_of.empty()) continue;
    const Run found = k.runner.run(at, in_place);
    for (const auto& [name, g] : once.gradient) {
      k.say("in place", "d" + name, relative_error(found.gradient.at(name), g, 1), k.rounding());
    }
    return;
  }
}

/// Other contents in the spare rows must change no bit elsewhere.
void judge_spare_rows(Contract& k, const Values& at) {
  const Description& d = k.component.description;
  if (d.used_rows == 0) return;
  const auto filled = [&](double junk) {
    Values v = at;
    for (const TensorSpec& t : d.tensors()) {
      if (!t.per_row) continue;
      Vector& x = v.value.at(t.role == Role::output ? "d" + t.name : t.name);
      const std::size_t width = t.size() / t.shape[0];
      for (std::size_t i = d.used_rows * width; i < x.size(); ++i) x[i] = t.role == Role::output ? 0 : junk;
    }
    return v;
  };
  const Run a = k.runner.run(filled(0.5), {}), b = k.runner.run(filled(-1e3), {});
  for (const TensorSpec& t : d.tensors()) {
    if (t.role != Role::output && !t.differentiable) continue;
    const Vector &x = t.role == Role::output ? a.output.at(t.name) : a.gradient.at(t.name),
                 &y = t.role == Role::output ? b.output.at(t.name) : b.gradient.at(t.name);
    const std::size_t n = t.per_row ? d.used_rows * (t.size() / t.shape[0]) : t.size();
    const bool same = std::memcmp(x.data(), y.data(), n * sizeof(double)) == 0;
    k.say("spare rows", t.name, same ? 0 : 1, 0);
  }
}

/// A table that is one row too short: a host that can read the row numbers throws. A GPU's host cannot: there the
/// result is NaN, and the missing rows of a gradient's table get nothing.
bool seen_by_kernels(const TensorSpec& t, const std::string& name, std::size_t axis, const Run& run) {
  if (!t.numbered || axis != 0) return false;
  return name != t.name || std::any_of(run.output.begin(), run.output.end(), [](const auto& output) {
           return std::any_of(output.second.begin(), output.second.end(), [](double y) { return std::isnan(y); });
         });
}

void judge_shapes(Contract& k, const Values& at) {
  for (const TensorSpec& t : k.component.description.tensors()) {
    for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
      for (const std::string& name : {t.name, "d" + t.name}) {
        if (t.shape[axis] == 0 || (name != t.name && !t.differentiable)) continue;
        RunOptions shrunk;
        shrunk.shrunk = name;
        shrunk.shrunk_axis = axis;
        bool threw = false;
        try {
          const Run run = k.runner.run(at, shrunk);
          threw = k.runner.is_gpu && seen_by_kernels(t, name, axis, run);
        } catch (const Error&) {
          threw = true;
        }
        k.say("a shape that does not fit throws", name + " axis " + std::to_string(axis), threw ? 0 : 1, 0);
      }
    }
  }
}

}  // namespace

Verdicts contract(const Component& c, const Runner& r) {
  Contract k{c, r, {}};
  const Values at = random_values(c.description, 3);
  const Run once = r.run(at, {});
  k.say("inputs unchanged", "all", once.inputs_unchanged ? 0 : 1, 0);
  judge_accumulation(k, at, once);
  for (const std::size_t gap : {3, 4}) judge_strides(k, at, once, gap);
  judge_in_place(k, at, once);
  judge_spare_rows(k, at);
  judge_shapes(k, at);
  return k.verdicts;
}

}  // namespace gradus::test
