#pragma once
/// \file
/// The optimisers: leaves that turn gradients into new weights, over a range of the flat vector. Size: n parameters.

#include <limits>

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

enum class Optimiser { sgd, adam };

template <>
struct Names<Optimiser> {
  static constexpr const char* noun = "optimiser";
  static constexpr Name<Optimiser> table[] = {{Optimiser::adam, "adam"}, {Optimiser::sgd, "sgd"}};
};

/// Where weight decay acts.
enum class Decay {
  coupled,   ///< in the gradient
  decoupled  ///< beside the step (Loshchilov & Hutter 2019)
};

template <>
struct Names<Decay> {
  static constexpr const char* noun = "weight decay";
  static constexpr Name<Decay> table[] = {{Decay::coupled, "coupled"}, {Decay::decoupled, "decoupled"}};
};

/// The options that both optimisers share.
struct UpdateOptions {
  double clip = 0;          ///< gradients are scaled down to this norm (Pascanu et al. 2013); 0: never
  double weight_decay = 0;  ///< applied to the first `decaying` elements of the range
  Decay decay = Decay::decoupled;
  std::size_t decaying = 0;
};

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;  ///< the paper's, section 5.3
  UpdateOptions update;
};

struct SgdOptions {
  double momentum = 0;
  UpdateOptions update;
};

/// The parts of a model that a training leaves as they are: their weights do not change, and their gradients count as 0.
struct FrozenParts {
  bool embeddings = false;  ///< the tables of words; a tied output layer has the same table
  bool encoder = false, decoder = false;
};

/// The optimiser that a training uses, and the options of both.
struct OptimiserOptions {
  Optimiser kind = Optimiser::adam;
  AdamOptions adam;
  SgdOptions sgd;
  bool decays_all = false;  ///< weight decay: tables, biases and norms too, not matrices alone
  FrozenParts frozen;
};

/// \defgroup squared_norm squared_norm
/// computes  sum += sum of g_i^2
/// requires  sum (1), g (n).
/// ensures   sum is added to, in an order that depends on n alone.
/// @{
template <class Device, class Dev = Device>
using SquaredNorm = void(Device& dev, Acc<Dev, 1> sum, In<Dev, 1> g);
template <class Real, class Dev = Reference<Real>>
SquaredNorm<Reference<Real>, Dev> squared_norm;
template <class Real, class Dev = Cpu<Real>>
SquaredNorm<Cpu<Real>, Dev> squared_norm;
template <class Real, class Dev = Cuda<Real>>
SquaredNorm<Cuda<Real>, Dev> squared_norm;
/// @}

/// \defgroup adam adam
/// computes  g' = g min(1, clip / norm) (+ weight_decay w, if coupled)                                    (eq:10.7)
///           m = beta1 m + (1 - beta1) g',   v = beta2 v + (1 - beta2) g'^2                                (eq:10.5)
///           w -= rate (m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon) (+ weight_decay w, if decoupled))
///           (Kingma & Ba 2015), with t and rate from the device's step state.                             (eq:10.6)
/// requires  w, m, v, g (n); squared_norm (1), of the whole gradient; status (1).
/// ensures   w, m, v are updated in place. If the norm is not finite nothing changes, and status, if it was 0,
///           becomes t: the first step that failed. While status is not 0 nothing changes either: a host that started
///           more steps before it read status finds the weights after the last good step.
/// @{
template <class Device, class Dev = Device>
using Adam = void(Device& dev, Acc<Dev, 1> w, Acc<Dev, 1> m, Acc<Dev, 1> v, OutInts<Dev, 1> status, In<Dev, 1> g,
                  In<Dev, 1> squared_norm, const AdamOptions& options);
template <class Real, class Dev = Reference<Real>>
Adam<Reference<Real>, Dev> adam;
template <class Real, class Dev = Cpu<Real>>
Adam<Cpu<Real>, Dev> adam;
template <class Real, class Dev = Cuda<Real>>
Adam<Cuda<Real>, Dev> adam;
/// @}

/// \defgroup sgd sgd
/// computes  g' as in adam,  m = momentum m + g',  w -= rate (m (+ weight_decay w, if decoupled))          (eq:10.4)
///           (momentum: Polyak 1964)
/// requires  as adam.
/// ensures   as adam.
/// @{
template <class Device, class Dev = Device>
using Sgd = void(Device& dev, Acc<Dev, 1> w, Acc<Dev, 1> m, OutInts<Dev, 1> status, In<Dev, 1> g,
                 In<Dev, 1> squared_norm, const SgdOptions& options);
template <class Real, class Dev = Reference<Real>>
Sgd<Reference<Real>, Dev> sgd;
template <class Real, class Dev = Cpu<Real>>
Sgd<Cpu<Real>, Dev> sgd;
template <class Real, class Dev = Cuda<Real>>
Sgd<Cuda<Real>, Dev> sgd;
/// @}

/// The check of both optimisers, the same on every device. `v` may be absent.
template <class Dev>
void check_update(In<Dev, 1> w, In<Dev, 1> m, In<Dev, 1> v, Ints<Dev, 1> status, In<Dev, 1> g,
                  In<Dev, 1> squared_norm, const UpdateOptions& options) {
  check_shape("optimiser: m", m, w.extent);
  check_optional("optimiser: v", v, w.extent);
  check_shape("optimiser: g", g, w.extent);
  check_shape("optimiser: status", status, {1});
  check_shape("optimiser: squared_norm", squared_norm, {1});
  if (options.decaying > w.extent[0]) fail("optimiser: more parameters decay than there are");
}

/// Whether a gradient is finite: infinity and NaN are not less than infinity. For loops and kernels.
constexpr bool is_sound(double squared_norm) { return squared_norm < std::numeric_limits<double>::infinity(); }

/// The new `status` after a step: it keeps the first step that failed.
constexpr std::int32_t status_after(std::int32_t status, std::uint32_t step, double squared_norm) {
  return status != 0 || is_sound(squared_norm) ? status : static_cast<std::int32_t>(step);
}

}  // namespace gradus
