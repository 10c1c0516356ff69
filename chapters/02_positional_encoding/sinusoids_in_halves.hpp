#pragma once
/// \file
/// The table of positions with all sines before all cosines, as Marian and its converted models have it. Sizes: P
/// positions, D model width.

#include "02_positional_encoding/sinusoids.hpp"

namespace gradus {

/// How many steps lie between the frequencies 1 and 1 / base.
enum class HalvesSteps {
  half,     ///< D / 2: the frequencies of sinusoids, which end one step before 1 / base
  less_one  ///< D / 2 - 1: the last frequency is 1 / base
};

/// \defgroup sinusoids_in_halves sinusoids_in_halves
/// computes  table[p, i] = sin(p w_i),  table[p, D/2 + i] = cos(p w_i),  w_i = base^(-i / steps)           (eq:2.6)
///           for p = 0 .. P - 1 and i = 0 .. D / 2 - 1, with base = 10000 and steps = D/2 (transformers' MarianMT)
///           or D/2 - 1 (Marian).
/// requires  table (P, D) with even D, above 2 for less_one, else Error.
/// ensures   table is overwritten. It is computed in double on every device and rounded once.
/// saves     nothing; it has no backward, because the table is not learnt.
/// @{
template <class Device, class Dev = Device>
using SinusoidsInHalves = void(Device& dev, Out<Dev, 2> table, HalvesSteps steps);
template <class Real, class Dev = Reference<Real>>
SinusoidsInHalves<Reference<Real>, Dev> sinusoids_in_halves;
template <class Real, class Dev = Cpu<Real>>
SinusoidsInHalves<Cpu<Real>, Dev> sinusoids_in_halves;
template <class Real, class Dev = Cuda<Real>>
SinusoidsInHalves<Cuda<Real>, Dev> sinusoids_in_halves;
/// @}

/// The number of steps of a table of this width; checks the width.
template <class Dev>
double steps_of(Out<Dev, 2> table, HalvesSteps steps) {
  check_sinusoids<Dev>(table);
  const std::size_t half = table.extent[1] / 2;
  if (steps == HalvesSteps::half) return static_cast<double>(half);
  if (half == 1)
    fail("sinusoids_in_halves: width 2 has one frequency, but there must be two: take a greater width");
  return static_cast<double>(half) - 1;
}

}  // namespace gradus
