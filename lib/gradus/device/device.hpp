#pragma once
/// \file
/// The devices. A device owns the memory and the state of a step. It is the first argument of every computing
/// function. Reference and Cpu run on this machine's processor; the third device, Cuda, is a GPU.

#include <type_traits>

#include "gradus/device/cuda.hpp"
#include "gradus/device/products.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/memory/workspace.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

class Int8Weights;  // ops/int8_weights.hpp

/// The common part of the processor's two devices. specification.hpp says what each member does.
template <class R>
struct HostDevice {
  using Real = R;
  using Space = Host;

  Workspace<Real, Space> kept, scratch;
  StepState state;
  bool in_step = false;
  const Int8Weights* int8_weights = nullptr;  ///< read by the products of Cpu<float>

  void choose(Products p) const {
    if (p != Products::exact)
      fail(std::string(name_of(p)) + " products need a GPU; a processor computes exact ones");
  }
  void use(const Int8Weights* weights) { int8_weights = weights; }
  void set(const StepState& s) { state = s; }

  void reset() {
    kept.settle();
    scratch.settle();
  }

  template <class F>
  void run_step(const StepSizes&, F&& f) {
    reset();
    const InStep guard(in_step);
    f();
  }

  static constexpr std::size_t capacity(std::size_t used, std::size_t /*most*/) { return used; }
  static constexpr std::size_t steps_ahead = 1;  // each step ends before the next begins
  static constexpr bool side_by_side = true;
  static constexpr Products default_products = Products::exact;
};

/// The formula: xtensor expressions in double (forward also in dual numbers). It is made for reading, and every
/// other device is compared with it.
template <class R>
struct Reference : HostDevice<R> {};

/// The same formulas, made fast: loops that vectorise, and OpenBLAS. In float and double.
template <class R>
struct Cpu : HostDevice<R> {};

/// Dev itself if the host can read its memory during a step; else Cpu with the same scalar.
template <class Dev>
using ReadableDevice = std::conditional_t<std::is_same_v<typename Dev::Space, Host>, Dev, Cpu<typename Dev::Real>>;

/// Workers::each for work on devices of this kind: on all threads if they may compute side by side, else on the
/// calling thread alone.
template <class Dev, class F>
void each_on(Workers& workers, std::size_t n, const F& work) {
  if constexpr (Dev::side_by_side) {
    workers.each(n, work);
  } else {
    for (std::size_t i = 0; i < n; ++i) work(i);
  }
}

}  // namespace gradus
