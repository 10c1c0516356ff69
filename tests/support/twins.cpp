#include "support/twins.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "support/catch.hpp"
#include "support/twin_rows.hpp"

namespace gradus::test {
namespace {

Verdicts ask(const std::string& judge, const TwinCase& c) {
  if (judge == "finite-differences") return finite_differences(c.component, c.runner);
  if (judge == "dual-numbers") return dual_numbers(c.component, c.runner);
  if (judge == "parity") return parity(c.component, c.runner);
  if (judge == "contract") return contract(c.component, c.runner);
  if (judge == "golden") return golden(c.component, c.runner, c.golden_file);
  FAIL("tests/wrong names an unknown judge: " << judge);
  return {};
}

void show(const std::string& twin, const std::string& component, const std::string& judge,
          const Verdicts& verdicts) {
  const Verdict* worst = &verdicts.front();
  for (const Verdict& v : verdicts) {
    if (!(v.error / (v.bound + 1e-300) <= worst->error / (worst->bound + 1e-300))) worst = &v;
  }
  std::printf("%-24s %-24s %-20s %-9s  worst: %s, error %.1e, bound %.0e\n", twin.c_str(), component.c_str(),
              judge.c_str(), rejected(verdicts) ? "rejects" : "accepts", worst->tensor.c_str(), worst->error,
              worst->bound);
}

/// How many cases of a twin each judge rejected.
using Tally = std::map<std::string, std::size_t>;

/// Runs the judges of a row on one case.
void judge(const Twin& twin, const TwinCase& c, const std::vector<std::string>& row, bool is_shown, Tally& tally) {
  const int before = *twin.calls;
  for (const std::string& entry : row) {
    const bool blind = entry[0] == '-';  // this judge cannot see this mistake
    const std::string name = blind ? entry.substr(1) : entry;
    INFO("in " << c.component.description.component << ", judge " << name);
    const Verdicts verdicts = ask(name, c);
    if (is_shown) show(twin.name, c.component.description.component, name, verdicts);
    tally[name] += rejected(verdicts) ? 1 : 0;
    CHECK(rejected(verdicts) == !blind);
  }
  CHECK(*twin.calls > before);
}

/// "no-epsilon is rejected by golden (2 of 2 cases), parity (2 of 2 cases); not seen by finite-differences."
std::string summary(const std::string& twin, const Tally& tally, std::size_t cases) {
  std::string by, blind;
  for (const auto& [name, count] : tally) {
    if (count == 0) {
      blind += (blind.empty() ? "" : ", ") + name;
    } else {
      by += (by.empty() ? "" : ", ") + name + " (" + std::to_string(count) + " of " + std::to_string(cases) +
            (cases == 1 ? " case)" : " cases)");
    }
  }
  return twin + (by.empty() ? " is rejected by no judge" : " is rejected by " + by) +
         (blind.empty() ? "." : "; not seen by " + blind + ", which cannot see such a mistake.");
}

}  // namespace

void expect_rejected(const std::string& chapter, const std::vector<Twin>& twins, const std::string& leaf) {
  const char* const wanted = std::getenv("GRADUS_SHOW_WRONG");
  std::map<std::string, std::vector<std::string>> rows;
  for (const TwinRow& row : twin_rows()) {
    if (row.chapter == chapter && row.leaf == leaf) rows[row.name] = row.judges;
  }
  for (const auto& [name, row] : rows) {
    const bool is_here = std::any_of(twins.begin(), twins.end(), [n = name](const Twin& t) { return t.name == n; });
    if (!is_here)
      FAIL_CHECK("tests/wrong has the twin " << name << " of " << chapter << ": add it to twins_test.cpp there");
  }
  for (const Twin& twin : twins) {
    INFO("wrong twin " << twin.name << ": needs one line \"/// twin: " << twin.name << ' ' << chapter
                       << " ...\" above it in tests/wrong");
    REQUIRE(rows.count(twin.name) == 1);
    REQUIRE_FALSE(twin.cases.empty());
    if (wanted != nullptr && twin.name != wanted) continue;
    Tally tally;
    for (const TwinCase& c : twin.cases) judge(twin, c, rows.at(twin.name), wanted != nullptr, tally);
    if (wanted != nullptr) std::printf("\n%s\n", summary(twin.name, tally, twin.cases.size()).c_str());
  }
}

}  // namespace gradus::test
