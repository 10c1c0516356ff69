#pragma once
/// \file
/// The table of positions. Sizes: P positions, D model width.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

constexpr double sinusoid_base = 10000;

/// \defgroup sinusoids sinusoids
/// computes  table[p, 2i] = sin(p w_i),  table[p, 2i + 1] = cos(p w_i),  w_i = base^(-2i / D)          (eq:2.1)
///           (Vaswani et al. 2017, section 3.5; base = 10000), for p = 0 .. P - 1 and i = 0 .. D / 2 - 1.
/// requires  table (P, D) with even D, else Error.
/// ensures   table is overwritten. It is computed in double on every device and rounded once.
/// saves     nothing; it has no backward, because the table is not learnt.
/// @{
template <class Device, class Dev = Device>
using Sinusoids = void(Device& dev, Out<Dev, 2> table);
template <class Real, class Dev = Reference<Real>>
Sinusoids<Reference<Real>, Dev> sinusoids;
template <class Real, class Dev = Cpu<Real>>
Sinusoids<Cpu<Real>, Dev> sinusoids;
template <class Real, class Dev = Cuda<Real>>
Sinusoids<Cuda<Real>, Dev> sinusoids;
/// @}

template <class Dev>
void check_sinusoids(Out<Dev, 2> table) {
  if (table.extent[1] % 2 != 0) {
    fail("sinusoids: width " + std::to_string(table.extent[1]) +
         " is odd; sines and cosines come in pairs, so it must be even");
  }
}

}  // namespace gradus
