#pragma once
/// \file
/// The whole model of the page: it is trained, and shows what flows through it for one pair.

#include <cstdint>
#include <memory>
#include <vector>

#include "10_training/optimiser/optimiser.hpp"
#include "10_training/step/step.hpp"
#include "live/lesson.hpp"
#include "walk/task.hpp"

namespace gradus::page {

/// What is taken out of the model: nothing, the scale of the attention's scores, the residual connections, the norms.
enum class Without { nothing, scale, residuals, norms };

/// What the reader may choose between two steps. Another optimiser begins with moments of 0.
struct WalkPlan {
  Optimiser optimiser = Optimiser::adam;
  double peak = 0.01;  ///< of the learning rate, which falls by the inverse square root of the step
  std::uint32_t warmup = 100;
  double smoothing = 0.1;
};

struct WalkStep {
  StepResult result;
  double rate = 0;
};

class Walk {
 public:
  virtual ~Walk() = default;
  virtual const Layout& layout() const = 0;
  virtual Out<Cpu<double>, 1> weights() = 0;  ///< all parameters; a reader may write them

  /// One step of training.
  virtual WalkStep step(const WalkPlan& plan) = 0;

  /// What greedy decoding makes of the sources of these pairs.
  virtual std::vector<std::vector<std::int32_t>> says(const IdPairs& pairs) = 0;

  /// Forward and backward of one pair: outputs, what is between the boxes, and gradients; the first tensor is the loss. The
  /// gradient of tensor t is named "d" + t.
  virtual Tensors flow(const IdPairs& pairs, std::uint32_t pair, double smoothing) = 0;
};

/// A model with the task's learnt weights if `seed` is 0, else with random ones. `task` must outlive it.
std::unique_ptr<Walk> make_walk(const Task& task, Without without, std::uint64_t seed);

}  // namespace gradus::page
