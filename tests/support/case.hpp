#pragma once
/// \file
/// From a case to a component. A case describes a component once; this header applies it to each device type.
///
///     struct LinearCase {
///       std::size_t N, in, out;
///       void describe(Description& d) const;                              // tensors, roles, options
///       template <class Dev> struct Cache { ... };                        // the values that forward saves for backward
///       template <class Dev> void forward(Dev&, Cache<Dev>&, Tensors<Dev>&) const;
///       template <class Dev> void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const;
///       template <class C, class F> static void each_saved(const C&, F&& f);  // may be absent: f(name, vector) for each
///     };

#include <string>
#include <type_traits>
#include <utility>

#include "gradus/device/device.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/scalar/dual.hpp"
#include "support/component.hpp"
#include "support/tensors.hpp"

namespace gradus::test {

template <class Case>
Description describe(const Case& the_case) {
  Description d;
  the_case.describe(d);
  return d;
}

struct TakesAnything {
  template <class T>
  void operator()(const char*, const T&) const {}
};
/// Whether a case names the vectors that forward saves.
template <class Case, class Cache, class = void>
struct NamesSaved : std::false_type {};
template <class Case, class Cache>
struct NamesSaved<Case, Cache, decltype(Case::each_saved(std::declval<Cache>(), TakesAnything{}))>
    : std::true_type {};

/// One run of `the_case` on a fresh device `Dev`.
template <class Dev, class Case>
Run run_case(const Case& the_case, const Values& values, const RunOptions& options) {
  const Description description = describe(the_case);
  Dev dev;
  dev.kept.poisoned = dev.scratch.poisoned = true;
  dev.set(description.state);
  Tensors<Dev> tensors(description, values, options);
  typename Case::template Cache<Dev> cache{};
  Run run;

  the_case.forward(dev, cache, tensors);
  for (const TensorSpec& t : description.tensors()) {
    if (t.role != Role::output) continue;
    run.output[t.name] = tensors.values(t.name);
    run.slope[t.name] = tensors.slopes(t.name);
  }
  if constexpr (!std::is_same_v<typename Dev::Real, Dual>) {
    if constexpr (NamesSaved<Case, decltype(cache)>::value) {
      Case::each_saved(cache, [&](const char* name, auto vector) {
        std::vector<typename Dev::Real> host;
        read(dev, host, vector);
        run.saved[name].assign(host.begin(), host.end());
      });
    }
    if (!options.backward) return run;
    for (int i = 0; i < options.backward_times; ++i) the_case.backward(dev, std::as_const(cache), tensors);
    add_due_sums(dev);
    Tensors<Dev> fresh(description, values, options);
    for (const TensorSpec& t : description.tensors()) {
      const bool is_output = t.role == Role::output;
      const std::string given = is_output ? "d" + t.name : t.name;
      const bool may_change = options.in_place && is_output;  // dy may hold dx now
      run.inputs_unchanged =
          run.inputs_unchanged && (may_change || same_bits(tensors.values(given), fresh.values(given)));
      if (is_output) {
        run.inputs_unchanged = run.inputs_unchanged && same_bits(tensors.values(t.name), run.output[t.name]);
      } else if (t.differentiable) {
        run.gradient[t.name] = tensors.values("d" + t.name);
      }
    }
    run.gaps_untouched = tensors.gaps_untouched();
  }
  return run;
}

template <class Dev, class Case>
Runner runner(const std::string& device, const Case& the_case) {
  return {device, !std::is_same_v<typename Dev::Real, float>, !std::is_same_v<typename Dev::Space, Host>,
          [the_case](const Values& v, const RunOptions& o) { return run_case<Dev>(the_case, v, o); }};
}

/// The component on all the project's devices.
template <class Case>
Component component(const Case& the_case) {
  return {describe(the_case),
          {runner<Reference<double>>("Reference<double>", the_case), runner<Cpu<double>>("Cpu<double>", the_case),
           runner<Cpu<float>>("Cpu<float>", the_case)},
          runner<Reference<Dual>>("Reference<Dual>", the_case)};
}

}  // namespace gradus::test
