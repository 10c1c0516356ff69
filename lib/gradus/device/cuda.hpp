#pragma once
/// \file
/// The device of an NVIDIA GPU. Own kernels, and cuBLAS for products.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gradus/device/products.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/gpu/runtime.hpp"

namespace gradus {

template <class R>
class Cuda {
 public:
  using Real = R;
  using Space = Gpu;

  Cuda();
  ~Cuda();
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  Workspace<Real, Space> kept;     ///< where forward makes caches; lasts until `reset`
  Workspace<Real, Space> scratch;  ///< given back at the end of the scope that took it (see Scratch)
  StepState state;                 ///< as the host set it last; kernels read their own copy
  Products products = Products::exact;

  void choose(Products p) { products = p; }                 ///< before the first step: a recording keeps its own
  void set(const StepState& s);                             ///< between steps
  const StepState* device_state() const { return state_; }  ///< what kernels read, in device memory

  /// Between steps: everything in the workspace is given back. Recordings hold addresses of it, so they are dropped
  /// when it had to grow.
  void reset();

  /// Runs one step: the first of its sizes plainly, while workspace and libraries settle, and the second too if the
  /// workspace had to grow; the next is recorded, and from then on replayed. Every value that changes from step to
  /// step is in device memory. The last few new sizes are remembered.
  template <class F>
  void run_step(const StepSizes& sizes, F&& f) {
    reset();
    const InStep guard(in_step);
    const auto at = std::find_if(steps_.begin(), steps_.end(), [&](const Step& s) { return s.sizes == sizes; });
    if (at == steps_.end() || !records) {
      f();
      if (!records) return;
      if (steps_.size() == most_steps) steps_.erase(steps_.begin());
      steps_.push_back({sizes, nullptr});  // only now: a first step that threw settled nothing
      return;
    }
    if (!at->recording) {
      auto recording = std::make_unique<gpu::Recording>();
      recording->begin();
      f();
      recording->end();
      at->recording = std::move(recording);
    } else {
      at->recording->compare(f);
    }
    at->recording->replay();
  }

  /// How many sizes of steps are remembered. A training has one or two, a batch of sentences that is translated two of
  /// its own, which may never come again.
  static constexpr std::size_t most_steps = 16;

  /// Rows to compute where `used` are needed and never more than `most`: the most, so that one recording serves all.
  static constexpr std::size_t capacity(std::size_t used, std::size_t most) { return used > most ? used : most; }

  /// Steps that may be asked for before anybody reads what came of the first. Reading waits for the GPU, which then
  /// waits for the host: with 16 steps, once in 16.
  static constexpr std::size_t steps_ahead = 16;

  /// Devices that compute at once, each on a thread of its own? No: they share the GPU's one stream.
  static constexpr bool side_by_side = false;

  bool records = true;   ///< false: every step is run plainly, as a debugger likes it
  bool in_step = false;  ///< reading and writing device memory from the host are errors meanwhile

 private:
  struct Step {
    StepSizes sizes;
    std::unique_ptr<gpu::Recording> recording;  // none: it ran once
  };

  StepState* state_ = nullptr;
  std::vector<Step> steps_;  // the oldest first
};

}  // namespace gradus
