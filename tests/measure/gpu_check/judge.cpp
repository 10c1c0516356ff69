#include "measure/gpu_check/judge.hpp"

#include <cmath>
#include <functional>
#include <iostream>

#include "gradus/util/error.hpp"
#include "measure/gpu_check/all_kernels.hpp"
#include "measure/gpu_check/case_file.hpp"
#include "measure/gpu_check/judge_recordings.hpp"
#include "measure/gpu_check/result.hpp"

namespace gradus::test {
namespace {

struct Worst {
  double in_double = 0, in_float = 0;
  bool passed = true;
  std::string error = {};  ///< of a case that failed, as JSON
};

/// The allowed difference of a loss from the processor's after a few steps: each step carries its rounding on.
constexpr double loss_double = 1e-9, loss_float = 1e-5;

/// The allowed difference of a composite in float. A GPU's products add in another order than the processor's, and
/// each part passes its rounding on to the next.
constexpr double composite_float = 5e-5;

using Table = std::map<std::string, Worst>;  // by component

struct Check {
  const CaseFile& lists;
  Table& table;
  Parts& parts;
  std::function<void()> save;
  int cases = 0, wrong = 0;

  const std::vector<double>& list(const std::string& name) const {
    const auto at = lists.find(name);
    if (at == lists.end()) fail("the case file has no " + name + ": it was written by other sources");
    return at->second;
  }

  /// Calls f, which computes. If it fails, the row has its error.
  template <class F>
  bool computes(const std::string& name, Worst& row, const F& f) {
    const bool well = parts.run(name, f);
    if (!well && !parts.failed().empty()) row.error = parts.failed().back().second;
    return well;
  }

  template <class Dev, class Case>
  double error_of(const std::string& name, const Case& c, const Values& values, Worst& row) {
    Run run;
    if (!computes(name, row, [&] { run = run_case<Dev>(c, values, {}); })) return NAN;
    const Description description = describe(c);
    double scale = 0, worst = 0;
    const auto note = [&](double error) { worst = std::isnan(error) || error > worst ? error : worst; };
    for (const auto& [tensor, y] : run.output) note(relative_error(y, list(output_name(name, tensor))));
    for (const TensorSpec& t : description.tensors()) {
      if (run.gradient.count(t.name) == 0) continue;
      for (const double g : list(gradient_name(name, t.name))) scale = std::max(scale, std::abs(g));
    }
    for (const TensorSpec& t : description.tensors()) {
      if (run.gradient.count(t.name) == 0 || t.zero_by_theorem) continue;
      note(relative_error(run.gradient.at(t.name), list(gradient_name(name, t.name)), scale));
    }
    return worst;
  }

  template <class Case>
  void operator()(const std::string& name, const Case& c, const KernelOptions& options) {
    Values values;
    const Description description = describe(c);
    for (const TensorSpec& t : description.tensors()) {
      const std::string given = t.role == Role::output ? "d" + t.name : t.name;
      values.value[given] = list(value_name(name, given));
    }
    Worst& row = table[description.component];
    const double in_double = error_of<Cuda<double>>(name, c, values, row);
    const double in_float = options.judges_float ? error_of<Cuda<float>>(name, c, values, row) : 0;
    const Bounds& bounds = options.bounds;
    const double least = std::fmin(bounds.parity_float, bounds.parity_float_gradient);
    const double bound_float = options.is_composite ? std::fmax(least, composite_float) : least;
    const bool passed = in_double <= bounds.parity_double && in_float <= bound_float;
    ++cases;
    wrong += passed ? 0 : 1;
    if (!passed) std::cerr << name << ": " << in_double << " in double, " << in_float << " in float\n";
    row.in_double = std::fmax(row.in_double, in_double);
    row.in_float = std::fmax(row.in_float, in_float);
    row.passed = row.passed && passed;
    save();
  }

  void recording(const std::string& name, const std::function<RecordingErrors()>& judge) {
    RecordingErrors errors{NAN, NAN, true};
    Worst& row = table[name];
    computes(name, row, [&] { errors = judge(); });
    const bool passed = errors.same_bits && errors.in_double <= loss_double && errors.in_float <= loss_float;
    ++cases;
    wrong += passed ? 0 : 1;
    if (!passed)
      std::cerr << name << ": " << errors.in_double << " in double, " << errors.in_float << " in float\n";
    if (!errors.same_bits) std::cerr << name << ": other bits than without recordings, or than in another run\n";
    row = {errors.in_double, errors.in_float, passed, row.error};
    save();
  }
};

std::string section(const Table& table, bool is_finished) {
  Members rows;
  const auto add = [&](const std::string& name, const Worst& row) {
    Members members{{"double", json(row.in_double)}, {"float", json(row.in_float)}, {"passed", json(row.passed)}};
    if (!row.error.empty()) members.emplace_back("failed", row.error);
    rows.emplace_back(name, json_line(members));
  };
  for (const auto& [name, row] : table) add(name, row);
  if (!is_finished) add("not finished", {NAN, NAN, false});
  return json(rows);
}

}  // namespace

Outcome judge_kernels(const std::string& case_file, const std::string& result, const std::string& section_name,
                      const PartOptions& options, std::ostream& log) {
  const CaseFile lists = read_cases(case_file);
  Table table;
  Parts parts(options, log);
  const auto save = [&](bool is_finished) {
    if (!result.empty()) write_result(result, section_name, section(table, is_finished));
  };
  Check check{lists, table, parts, [&] { save(false); }};
  each_kernel([&](const std::string& name, const auto& c, const KernelOptions& o) { check(name, c, o); });
  check.recording("recorded training", [&] { return judge_recorded_training(lists); });
  check.recording("recorded search", judge_recorded_search);
  each_large_kernel([&](const std::string& name, const auto& c, const KernelOptions& o) { check(name, c, o); });
  for (const auto& [name, row] : table) {
    log << name << "  " << row.in_double << "  " << row.in_float << (row.passed ? "\n" : "  WRONG\n");
  }
  log << check.cases << " cases, " << check.wrong << " of them wrong\n";
  save(true);
  return parts.outcome(check.wrong == 0 && check.cases > 0);
}

}  // namespace gradus::test
