#pragma once
/// \file
/// The device for an NVIDIA GPU: our own kernels, and cuBLAS for matrix products.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gradus/device/products.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/gpu/runtime.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

class Int8Weights;  // ops/int8_weights.hpp

/// A sum that a step has still to add: to[d] += the sum of column d of rows.
template <class Real>
struct DueSum {
  View<Real, 1, Gpu> to;
  View<const Real, 2, Gpu> rows;
};

template <class R>
class Cuda {
 public:
  using Real = R;
  using Space = Gpu;

  Cuda();
  ~Cuda();
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  Workspace<Real, Space> kept, scratch;
  StepState state;  ///< the host's copy, from the last `set`; kernels read the copy in device memory
  Products products = Products::exact;  ///< validation and translation need these
  std::vector<DueSum<Real>> due;  ///< from the backward passes of leaves; add_due_sums adds them, in one launch

  void choose(Products p) { products = p; }  ///< before the first step: a recording keeps its choice
  void use(const Int8Weights* weights) {     ///< a GPU has no such products
    if (weights != nullptr) fail("weights of 8 bits need a processor");
  }
  void set(const StepState& s);                             ///< between steps
  const StepState* device_state() const { return state_; }  ///< the state that kernels read, in device memory

  /// Drops sums that are due. If the workspace grew, drops the recordings, because they hold its old addresses.
  void reset();

  /// Runs one step. The first step of its sizes runs directly, while workspace and libraries reach their final
  /// size; so does the second if the workspace had to grow. The next step is recorded, and later ones replay the
  /// recording. Every value that changes from step to step is in device memory. The last few new sizes are
  /// remembered.
  template <class F>
  void run_step(const StepSizes& sizes, F&& f) {
    reset();
    const InStep guard(in_step);
    const auto at = std::find_if(steps_.begin(), steps_.end(), [&](const Step& s) { return s.sizes == sizes; });
    if (at == steps_.end() || !records) {
      f();
      if (!records) return;
      if (steps_.size() == most_steps) steps_.erase(steps_.begin());
      steps_.push_back({sizes, nullptr});  // added after f(): a first step that throws must not count
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

  /// How many sizes of steps are remembered. A training has one or two. A search has one for its steps, and
  /// one for each place of a batch.
  static constexpr std::size_t most_steps = 16;

  /// Returns `most`, so one recording serves every batch.
  static constexpr std::size_t capacity(std::size_t used, std::size_t most) { return used > most ? used : most; }

  /// Reading a result makes the host wait for the GPU, and the GPU then waits for the host: with 16 steps this
  /// happens once in 16.
  static constexpr std::size_t steps_ahead = 16;

  static constexpr bool side_by_side = false;  // they share the GPU's stream

  /// Tensor cores compute such products many times as fast as exact ones.
  static constexpr Products default_products = Products::tf32;

  bool records = true;  ///< false: every step runs directly, for a debugger
  bool in_step = false;

 private:
  struct Step {
    StepSizes sizes;
    std::unique_ptr<gpu::Recording> recording;  // null: the step ran once, without a recording
  };

  StepState* state_ = nullptr;
  std::vector<Step> steps_;  // oldest first
};

}  // namespace gradus
