#pragma once
/// \file
/// The results of steps, kept on the device until the host reads them.

#include <algorithm>

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup log_step log_step
/// computes  log_r = numbers, with r = step mod the rows of log and the step of the device's step state.
/// requires  numbers (n); log (R, n), R at least 1.
/// ensures   the other rows, which hold the R - 1 steps before, stay unchanged.
/// @{
template <class R, class Dev = HostDevice<R>>
void log_step(HostDevice<R>& dev, Acc<Dev, 2> log, In<Dev, 1> numbers) {
  check_shape("log_step: numbers", numbers, {log.extent[1]});
  std::copy_n(numbers.data, numbers.extent[0], log.row(dev.state.step % log.extent[0]));
}
template <class Real, class Dev = Cuda<Real>>
void log_step(Cuda<Real>& dev, Acc<Dev, 2> log, In<Dev, 1> numbers);
/// @}

}  // namespace gradus
