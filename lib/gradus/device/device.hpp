#pragma once
/// \file
/// The devices. A device owns the memory of a step and the step's state, and is the first argument of everything that
/// computes. Two of them are this machine's processor; the third, Cuda, is a GPU.

#include "gradus/device/cuda.hpp"
#include "gradus/device/products.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/memory/workspace.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

/// What both devices of the processor share.
template <class R>
struct HostDevice {
  using Real = R;
  using Space = Host;

  Workspace<Real, Space> kept;     ///< where forward makes caches; lasts until `reset`
  Workspace<Real, Space> scratch;  ///< given back at the end of the scope that took it (see Scratch)
  StepState state;

  void choose(Products p) const {
    if (p != Products::exact) fail(std::string(name_of(p)) + " products are a GPU's: a processor's are exact");
  }
  void set(const StepState& s) { state = s; }

  /// Between steps: everything in the workspace is given back.
  void reset() {
    kept.settle();
    scratch.settle();
  }

  /// Runs one step. On a GPU this is what is recorded and, for the same sizes, replayed; so `f` reads nothing back to
  /// the host.
  template <class F>
  void run_step(const StepSizes&, F&& f) {
    reset();
    const InStep guard(in_step);
    f();
  }

  /// Rows to compute where `used` are needed and never more than `most`: here those that are needed. A GPU, which
  /// replays one recording for every batch, computes the most.
  static constexpr std::size_t capacity(std::size_t used, std::size_t /*most*/) { return used; }

  /// Steps that may be asked for before anybody reads what came of the first: here each is done when it was asked for.
  static constexpr std::size_t steps_ahead = 1;

  /// Devices may compute at once, each on a thread of its own.
  static constexpr bool side_by_side = true;

  bool in_step = false;  ///< reading device memory is an error meanwhile
};

/// The formula: xtensor expressions, in double (and, forward only, in dual numbers). For reading, and the oracle of
/// every other device.
template <class R>
struct Reference : HostDevice<R> {};

/// The same made fast: loops that vectorise, and OpenBLAS. In float and double.
template <class R>
struct Cpu : HostDevice<R> {};

/// Workers::each for pieces that compute on devices of this kind: by all threads, or by this one alone.
template <class Dev, class F>
void each_on(Workers& workers, std::size_t n, const F& work) {
  if constexpr (Dev::side_by_side) {
    workers.each(n, work);
  } else {
    for (std::size_t i = 0; i < n; ++i) work(i);
  }
}

}  // namespace gradus
