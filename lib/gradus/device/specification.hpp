#pragma once
/// \file
/// The specification of a device. Composites, trainer and search use these members only, so a type that has all of
/// them can be the first argument of every function that computes. A device also needs an overload of each leaf.
///
///     Real                      its scalar: float, double, a dual number
///     Space                     the memory of its tensors: Host, Gpu. A view of another space does not compile
///     kept                      Workspace<Real, Space>: caches that forward makes for backward; lasts until reset()
///     scratch                   Workspace<Real, Space>: intermediate results; a Scratch gives them back at the end of its scope
///     state                     StepState: the values that change from step to step; set() stores them
///     set(StepState)            between steps: sets the state of the next one
///     choose(Products)          before the first step: how to multiply matrices; Error if the device cannot
///     use(const Int8Weights*)   before the first step: the 8-bit copies of weights that products take in place of the
///                               originals, or null; Error if the device cannot
///     reset()                   between steps: gives back all of kept and scratch
///     run_step(StepSizes, f)    resets, then runs f, or replays a recording of a step with these sizes. f reads
///                               nothing back to the host; values that change from step to step are in device memory
///     in_step                   bool: true while run_step runs f; then the host must not read or write device memory
///     capacity(used, most)      static: rows to compute if `used` are needed and never more than `most`
///     steps_ahead               constant, 1 or more: how many steps may be started before the first one's results are read
///     side_by_side              constant: whether two devices of this type may compute at once, each on its own thread
///     default_products          constant: the products that a training chooses if its plan names none

#include <type_traits>
#include <utility>

#include "gradus/device/products.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/memory/workspace.hpp"

namespace gradus {

class Int8Weights;  // ops/int8_weights.hpp

namespace device_members {

template <class Dev>
using real = typename Dev::Real;
template <class Dev>
using space = typename Dev::Space;
template <class Dev>
using workspace = Workspace<typename Dev::Real, typename Dev::Space>;
template <class Dev>
using kept = std::enable_if_t<std::is_same_v<decltype(Dev::kept), workspace<Dev>>>;
template <class Dev>
using scratch = std::enable_if_t<std::is_same_v<decltype(Dev::scratch), workspace<Dev>>>;
template <class Dev>
using state = std::enable_if_t<std::is_same_v<decltype(Dev::state), StepState>>;
template <class Dev>
using set = decltype(std::declval<Dev&>().set(std::declval<const StepState&>()));
template <class Dev>
using choose = decltype(std::declval<Dev&>().choose(Products::exact));
template <class Dev>
using use = decltype(std::declval<Dev&>().use(std::declval<const Int8Weights*>()));
template <class Dev>
using reset = decltype(std::declval<Dev&>().reset());
template <class Dev>
using run_step =
    decltype(std::declval<Dev&>().run_step(std::declval<const StepSizes&>(), std::declval<void (&)()>()));
template <class Dev>
using in_step = std::enable_if_t<std::is_same_v<decltype(Dev::in_step), bool>>;
template <class Dev>
using capacity =
    std::enable_if_t<std::is_same_v<decltype(Dev::capacity(std::size_t{}, std::size_t{})), std::size_t>>;
template <class Dev>
using steps_ahead = std::enable_if_t<(Dev::steps_ahead >= 1)>;
template <class Dev>
using side_by_side = std::bool_constant<Dev::side_by_side>;
template <class Dev>
using default_products = std::integral_constant<Products, Dev::default_products>;

}  // namespace device_members

/// Whether Dev has that member, with the type that the list above gives.
template <template <class> class Member, class Dev, class = void>
struct Has : std::false_type {};
template <template <class> class Member, class Dev>
struct Has<Member, Dev, std::void_t<Member<Dev>>> : std::true_type {};

/// Compiles if Dev is a device; else the compiler's message says which member is missing or has another type.
template <class Dev>
struct RequireDevice {
  template <template <class> class Member>
  static constexpr bool has = Has<Member, Dev>::value;

  static_assert(has<device_members::real>, "a device names its scalar: using Real = float;");
  static_assert(has<device_members::space>, "a device names the space of its tensors: using Space = Host;");
  static_assert(has<device_members::kept>, "a device has Workspace<Real, Space> kept");
  static_assert(has<device_members::scratch>, "a device has Workspace<Real, Space> scratch");
  static_assert(has<device_members::state>, "a device has StepState state");
  static_assert(has<device_members::set>, "a device has set(const StepState&)");
  static_assert(has<device_members::choose>, "a device has choose(Products)");
  static_assert(has<device_members::use>, "a device has use(const Int8Weights*)");
  static_assert(has<device_members::reset>, "a device has reset()");
  static_assert(has<device_members::run_step>, "a device has run_step(const StepSizes&, f)");
  static_assert(has<device_members::in_step>, "a device has bool in_step");
  static_assert(has<device_members::capacity>, "a device has static std::size_t capacity(used, most)");
  static_assert(has<device_members::steps_ahead>, "a device has a constant steps_ahead, at least 1");
  static_assert(has<device_members::side_by_side>, "a device has a constant bool side_by_side");
  static_assert(has<device_members::default_products>, "a device has a constant Products default_products");
  static constexpr bool value = true;
};

}  // namespace gradus
