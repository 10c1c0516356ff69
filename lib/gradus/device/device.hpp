#pragma once
/// \file
/// The devices. A device owns the memory and the state of a step. It is the first argument of every computing
/// function. Reference and Cpu run on this machine's processor; the third device, Cuda, is a GPU.

#include "gradus/device/cuda.hpp"
#include "gradus/device/products.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/memory/workspace.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

/// The common part of the processor's two devices.
template <class R>
struct HostDevice {
  using Real = R;
  using Space = Host;

  Workspace<Real, Space> kept;     ///< the caches that forward makes; lasts until `reset`
  Workspace<Real, Space> scratch;  ///< intermediate results; a Scratch gives them back at the end of its scope
  StepState state;

  void choose(Products p) const {
    if (p != Products::exact)
      fail(std::string(name_of(p)) + " products need a GPU; a processor computes exact ones");
  }
  void set(const StepState& s) { state = s; }

  /// Call it between steps. Gives back all memory of the workspace.
  void reset() {
    kept.settle();
    scratch.settle();
  }

  /// Runs one step. A GPU records it and replays it for the same sizes; so `f` must read nothing back to the host.
  template <class F>
  void run_step(const StepSizes&, F&& f) {
    reset();
    const InStep guard(in_step);
    f();
  }

  /// Rows to compute if `used` are needed and never more than `most`: here `used`. A GPU replays one recording for
  /// every batch, so it computes `most`.
  static constexpr std::size_t capacity(std::size_t used, std::size_t /*most*/) { return used; }

  /// How many steps the host may start before it reads the result of the first: here 1, since each step ends before
  /// the next.
  static constexpr std::size_t steps_ahead = 1;

  /// Devices may compute at the same time, each on its own thread.
  static constexpr bool side_by_side = true;

  bool in_step = false;  ///< true during a step: device memory must not be read then
};

/// The formula: xtensor expressions in double (forward also in dual numbers). It is made for reading, and every
/// other device is compared with it.
template <class R>
struct Reference : HostDevice<R> {};

/// The same formulas, made fast: loops that vectorise, and OpenBLAS. In float and double.
template <class R>
struct Cpu : HostDevice<R> {};

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
