#include "exercises/grader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "exercises/difference.hpp"
#include "exercises/known_mistakes.hpp"
#include "exercises/process.hpp"
#include "gradus/util/error.hpp"

namespace gradus::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned most_seconds = 30;  ///< of processor time
constexpr int most_orders = 8;         ///< of a kernel's threads

/// What the grader found, in the order in which the report tells it.
struct Report {
  Json findings = Json::array();
  Json judges = Json::object();  ///< of all cases: "accepts" or "rejects"

  void judge(const std::string& name, bool rejects) {
    if (rejects || !judges.contains(name)) judges[name] = rejects ? "rejects" : "accepts";
  }
};

/// JSON has no NaN and no infinity.
Json number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "NaN" : x > 0 ? "inf" : "-inf";
}

/// Of a lookup's element: the id of its row; of a table's element: the rows that look its row up. Else nothing.
Json ids_of(const Description& d, const TensorSpec& t, std::size_t element) {
  const std::size_t row = element / std::max<std::size_t>(1, t.size() / t.shape[0]);
  for (const IntsSpec& ints : d.all_ints()) {
    if (t.per_row && ints.values.size() == t.shape[0]) return {{"name", ints.name}, {"id", ints.values[row]}};
    if (!t.numbered) continue;
    Json rows = Json::array();
    for (std::size_t n = 0; n < ints.values.size(); ++n) {
      if (ints.values[n] == static_cast<std::int32_t>(row)) rows.push_back(n);
    }
    return {{"name", ints.name}, {"rows", rows}};
  }
  return nullptr;
}

class Grader {
 public:
  Grader(const Graded& exercise, StudentProcess& process) : exercise_(exercise) {
    for (std::size_t i = 0; i < exercise.cases.size(); ++i) {
      const auto run = [this, i, &process](const Values& values, const RunOptions& options) {
        const Answer a = process.ask({i, values, options, order_});
        if (a.is_error) throw Error(a.error);
        return a.run;
      };
      student_.push_back({"your code", true, exercise.is_kernel, run});
    }
  }

  Json graded() {
    Json report;
    bool is_wrong = false;
    try {
      for (std::size_t i = 0; i < student_.size(); ++i) numbers(exercise_.cases[i], student_[i]);
      is_wrong = is_any_wrong();
      if (!is_blank()) {
        for (std::size_t i = 0; i < student_.size(); ++i) judges(exercise_.cases[i], student_[i]);
      }
      is_wrong = is_wrong || report_.judges.dump().find("rejects") != std::string::npos;
      Json mistakes = Json::array();
      if (is_wrong && !is_blank()) {
        for (const NamedMistake& m : known_mistakes(exercise_, student_)) {
          mistakes.push_back({{"name", m.name}, {"only_forward", m.only_forward}});
        }
        const std::string stopped = named_by_error();
        if (mistakes.empty() && !stopped.empty()) mistakes.push_back({{"name", stopped}, {"only_forward", false}});
      }
      report["mistakes"] = mistakes;
    } catch (const Ended& ended) {
      report["ended"] = ended.what();
      is_wrong = true;
    }
    report["passed"] = !is_wrong;
    report["findings"] = report_.findings;
    report["judges"] = report_.judges;
    report["has_gradients"] = has_gradients();
    return report;
  }

 private:
  /// Outputs, then gradients, element by element.
  void numbers(const GradedCase& one, const Runner& student) {
    const Description& d = one.component.description;
    for (const Inputs& at : fixed_inputs(one)) {
      const Run right = one.component.devices.front().run(at.values, {});
      Run found;
      try {
        found = student.run(at.values, {});
      } catch (const Error& error) {
        report_.findings.push_back({{"kind", "throws"},
                                    {"case", d.component},
                                    {"pass", pass_of(student, at.values)},
                                    {"text", error.what()}});
        return;
      }
      if (at.where == random_numbers) saved(one, right, found);
      double floor = 0;
      for (const auto& [name, g] : right.gradient) {
        for (const double x : g) floor = std::isfinite(x) ? std::max(floor, 1e-3 * std::abs(x)) : floor;
      }
      for (const bool outputs : {true, false}) {
        for (const TensorSpec& t : d.tensors()) {
          if ((t.role == Role::output) != outputs || t.size() == 0) continue;
          if (outputs)
            tensor(t, t.name, at.where, one, right.output.at(t.name), found.output.at(t.name), 0);
          else if (t.differentiable && !t.zero_by_theorem)
            tensor(t, "d" + t.name, at.where, one, right.gradient.at(t.name), found.gradient.at(t.name), floor);
        }
      }
    }
  }

  /// What forward should save for backward, and never wrote, or saved with another value. The second is no mistake by
  /// itself: backward may read it as forward means it.
  void saved(const GradedCase& one, const Run& right, const Run& found) {
    const Description& d = one.component.description;
    for (const auto& [name, values] : right.saved) {
      const std::vector<double>& got = found.saved.at(name);
      if (values.empty() || got.size() != values.size()) continue;
      const Difference by = difference(values, got, 0, bound_of(one));
      if (by.is_unwritten) {
        report_.findings.push_back({{"kind", "saved"}, {"case", d.component}, {"tensor", name}});
      } else if (by.wrong > 0) {
        report_.findings.push_back({{"kind", "saved otherwise"},
                                    {"case", d.component},
                                    {"tensor", name},
                                    {"index", {by.first}},
                                    {"expected", number(values[by.first])},
                                    {"got", number(got[by.first])}});
      }
    }
  }

  /// Which pass of a run throws.
  static std::string pass_of(const Runner& student, const Values& at) {
    RunOptions forward;
    forward.backward = false;
    return behaviour(student, at, forward).is_error ? "forward" : "backward";
  }

  static double bound_of(const GradedCase& one) {
    return 10 * std::max(one.bounds.parity_double, one.bounds.golden);
  }

  bool is_any_wrong() const {
    return std::any_of(report_.findings.begin(), report_.findings.end(),
                       [](const Json& f) { return f.at("kind") != "saved otherwise"; });
  }

  void tensor(const TensorSpec& t, const std::string& name, const std::string& where, const GradedCase& one,
              const std::vector<double>& expected, const std::vector<double>& got, double floor) {
    const Difference found = difference(expected, got, floor, bound_of(one));
    if (found.wrong == 0) return;
    const double from = expected[found.first], to = got[found.first];
    const double common = common_factor(expected, got);
    const Json factor = std::isnan(common) ? Json(nullptr) : Json(common);
    const bool is_random = where == random_numbers;  // a constant row can make NaN or 0 by a mistake
    report_.findings.push_back({{"kind", is_random && found.is_unwritten ? "unwritten"
                                         : is_random && found.is_zero    ? "zero"
                                                                         : "wrong"},
                                {"case", one.component.description.component},
                                {"inputs", where},
                                {"tensor", name},
                                {"is_output", t.role == Role::output},
                                {"is_added", t.role != Role::output && t.accumulated},
                                {"shape", t.shape},
                                {"index", place(found.first, t.shape)},
                                {"ids", ids_of(one.component.description, t, found.first)},
                                {"expected", number(from)},
                                {"got", number(to)},
                                {"error", number(std::abs(to - from))},
                                {"factor", factor},
                                {"wrong", found.wrong},
                                {"elements", expected.size()}});
  }

  /// A mistake that the host layer of kernels reports itself.
  std::string named_by_error() const {
    for (const Json& f : report_.findings) {
      if (f.at("kind") != "throws") continue;
      for (const auto& [name, words] : exercise_.errors) {
        if (f.at("text").get<std::string>().find(words) != std::string::npos) return name;
      }
    }
    return "";
  }

  bool has_gradients() const {
    for (const GradedCase& one : exercise_.cases) {
      for (const TensorSpec& t : one.component.description.tensors()) {
        if (t.role != Role::output && t.differentiable) return true;
      }
    }
    return false;
  }

  bool is_blank() const {
    for (const Json& f : report_.findings) {
      const bool is_untouched = f.at("kind") == "unwritten" || f.at("kind") == "zero";
      if (is_untouched && f.value("is_output", false)) return true;
    }
    return false;
  }

  /// A judge that the student's code ends with an error rejects it.
  template <class F>
  void ask(const GradedCase& one, const std::string& name, F&& verdicts) {
    try {
      const Verdicts all = verdicts();
      report_.judge(name, rejected(all));
      if (name == "contract") broken(one.component.description, all);
    } catch (const Error&) {
      report_.judge(name, true);
    }
  }

  /// The promises of the contract that are broken.
  void broken(const Description& d, const Verdicts& verdicts) {
    for (const Verdict& v : verdicts) {
      if (v.passed()) continue;
      const TensorSpec* t = nullptr;
      for (const TensorSpec& one : d.tensors()) t = v.tensor == one.name || v.tensor == "d" + one.name ? &one : t;
      const bool is_shape = v.judge.find("a shape") != std::string::npos;
      report_.findings.push_back({{"kind", is_shape ? "shape" : "contract"},
                                  {"case", v.component},
                                  {"tensor", t != nullptr && t->role != Role::output ? "d" + t->name : v.tensor},
                                  {"is_added", t != nullptr && t->role != Role::output && t->accumulated},
                                  {"text", v.judge.substr(std::string("contract: ").size())},
                                  {"error", number(v.error)}});
    }
  }

  void judges(const GradedCase& one, const Runner& student) {
    const Component& c = one.component;
    if (exercise_.has_contract) ask(one, "contract", [&] { return contract(c, student); });
    ask(one, "parity", [&] { return parity(c, student, one.bounds); });
    if (!one.golden_file.empty())
      ask(one, "golden", [&] { return golden(c, student, one.golden_file, one.bounds); });
    if (has_dual_numbers(one) && c.dual.run)
      ask(one, "dual numbers", [&] { return dual_numbers(c, student, one.bounds); });
    if (has_finite_differences(exercise_, one))
      ask(one, "finite differences", [&] { return finite_differences(c, student, one.bounds); });
    if (exercise_.is_kernel) ask(one, "thread orders", [&] { return thread_orders(one, student); });
  }

  /// A kernel whose threads run in another order must give the same bits.
  Verdicts thread_orders(const GradedCase& one, const Runner& student) {
    const Values at = random_values(one.component.description, 5);
    const Run first = student.run(at, {});
    double different = 0;
    for (order_ = 1; order_ <= most_orders; ++order_) {
      const Run again = student.run(at, {});
      different += same_bits(again.output, first.output) && same_bits(again.gradient, first.gradient) ? 0 : 1;
    }
    order_ = 0;
    return {{"thread orders", one.component.description.component, "all", student.device, different, 0, 0}};
  }

  const Graded& exercise_;
  std::vector<Runner> student_;
  Report report_;
  int order_ = 0;
};

}  // namespace

int grade(const Graded& exercise, int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "use: %s PROGRAM OUTPUT REPORT\n", arguments[0]);
    return 2;
  }
  StudentProcess process(arguments[1], arguments[2], most_seconds);
  const Json report = Grader(exercise, process).graded();
  std::ofstream(arguments[3]) << report.dump(1) << "\n";
  return 0;
}

}  // namespace gradus::test
