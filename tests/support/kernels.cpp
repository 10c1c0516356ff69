#include "support/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gradus/gpu/grid_limits.hpp"
#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "support/gradient_table.hpp"

namespace gradus::test {
namespace {

/// Collects the largest error of each judge and component, and writes it at the end to the file that GRADUS_KERNELS
/// names.
struct Table {
  std::map<std::pair<std::string, std::string>, std::pair<double, bool>> rows;

  void add(const Verdict& v, bool is_double) {
    const std::string judge = v.judge.substr(0, v.judge.find(':'));
    auto& [error, passed] =
        rows.try_emplace({v.component, judge + (is_double ? "" : ", float")}, 0.0, true).first->second;
    if (!std::isnan(error) && !(v.error <= error)) error = v.error;  // NaN stays
    passed = passed && v.passed();
  }
  ~Table() {
    const char* const path = std::getenv("GRADUS_KERNELS");
    if (path == nullptr) return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& [key, value] : rows) {
      list.push_back(
          {{"kernel", key.first}, {"judge", key.second}, {"error", value.first}, {"passed", value.second}});
    }
    std::ofstream(path) << list.dump(1) << "\n";
  }
};

Table& table() {
  static Table the_table;
  return the_table;
}

/// Sanitizers check memory, not numbers: parity, contract and two orders run every path, so the form without
/// sanitizers does the many runs of the other judges.
using gpu::host::is_watched;
constexpr unsigned shuffles = is_watched ? 2 : 20;

/// tests/measure/mutation/mutants.py breaks kernels and needs to know only whether they are rejected; it sets
/// GRADUS_FIRST_REJECTION. Then the later judges, which take longest, run only on kernels that the first ones
/// accepted, and the reads of the host are not checked.
const bool is_mutant = std::getenv("GRADUS_FIRST_REJECTION") != nullptr;
bool is_decided(const Verdicts& so_far) { return is_mutant && rejected(so_far); }

struct Unprotected {
  explicit Unprotected(bool is_wanted = true) { gpu::host::protect_device_memory(!is_wanted && !is_mutant); }
  ~Unprotected() { gpu::host::protect_device_memory(!is_mutant); }
};

}  // namespace

Verdicts thread_orders(const Component& c, const Runner& r) {
  using gpu::host::Order;
  const Unprotected fast;  // the contract judge runs with protection
  const Values at = random_values(c.description, 5);
  gpu::host::set_order(Order::ascending);
  const Run first = r.run(at, {});
  const auto differs = [&] {
    const Run again = r.run(at, {});
    return again.output != first.output || again.gradient != first.gradient;
  };
  double different = 0;
  gpu::host::set_order(Order::descending);
  different += differs() ? 1 : 0;
  for (unsigned seed = 1; seed <= shuffles; ++seed) {
    gpu::host::set_order(Order::shuffled, seed);
    different += differs() ? 1 : 0;
  }
  gpu::host::set_order(Order::ascending);
  return {{"thread orders", c.description.component, "all", r.device, different, 0, 0}};
}

Verdicts wide_grids(const Component& c, const Runner& r) {
  const Unprotected fast;
  const Values at = random_values(c.description, 5);
  const Run first = r.run(at, {});
  double different = 0;
  for (const unsigned most : {1U, 2U}) {  // 2: a surplus block in z, if y is odd
    gpu::host::set_most_blocks_y(most);
    const Run again = r.run(at, {});
    different += again.output != first.output || again.gradient != first.gradient ? 1 : 0;
  }
  gpu::host::set_most_blocks_y(gpu::most_blocks_yz);
  return {{"wide grids", c.description.component, "all", r.device, different, 0, 0}};
}

namespace {

/// Dual numbers and finite differences only, for the table of gradients; parity if there is no backward pass.
Verdicts kernel_gradients(const Component& c, const KernelOptions& options) {
  const Unprotected fast;
  Verdicts all;
  for (const Runner& r : c.devices) {
    if (&r == &c.devices.front() || !r.is_double) continue;
    if (!options.has_dual) return parity(c, r, options.bounds);
    const Verdicts duals = dual_numbers(c, r, options.bounds);
    const Verdicts differences = options.is_composite ? Verdicts{} : finite_differences(c, r, options.bounds);
    record_kernel_gradients(differences, duals);
    append(all, duals);
    append(all, differences);
  }
  return all;
}

/// Those of one device.
Verdicts judges_of(const Component& c, const Runner& r, const KernelOptions& options) {
  Verdicts all;
  {
    const Unprotected fast(is_mutant);
    append(all, parity(c, r, options.bounds));
  }
  if (is_decided(all) || (is_watched && options.is_composite)) return all;  // a composite has no kernel of its own
  {
    const Unprotected fast(options.is_composite);  // its hundreds of launches ran with protection in parity
    append(all, contract(c, r));
  }
  if (is_decided(all)) return all;
  append(all, thread_orders(c, r));
  append(all, wide_grids(c, r));
  if (is_decided(all) || is_watched || !r.is_double || !options.has_dual) return all;
  const Unprotected fast;
  append(all, dual_numbers(c, r, options.bounds));
  if (!options.is_composite) append(all, finite_differences(c, r, options.bounds));
  return all;
}

}  // namespace

Verdicts kernel_judges(const Component& c, const KernelOptions& options) {
  if (only_gradients_wanted()) return kernel_gradients(c, options);
  Verdicts all;
  for (const Runner& r : c.devices) {
    if (&r == &c.devices.front()) continue;
    const Verdicts found = judges_of(c, r, options);
    for (const Verdict& v : found) table().add(v, r.is_double);
    append(all, found);
    if (is_decided(all)) break;
  }
  return all;
}

}  // namespace gradus::test
