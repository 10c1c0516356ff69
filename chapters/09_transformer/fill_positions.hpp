#pragma once
/// \file
/// The table of positions of a model.

#include "02_positional_encoding/sinusoids_in_halves.hpp"
#include "09_transformer/config.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {

/// Overwrites `table` (P, D) with the positions 0 .. P - 1 of a model; zeros if it has none.
template <class Dev>
void fill_positions(Dev& dev, Out<Dev, 2> table, Positions positions) {
  switch (positions) {
    case Positions::sinusoids:
      return sinusoids(dev, table);
    case Positions::halves:
      return sinusoids_in_halves(dev, table, HalvesSteps::half);
    case Positions::marian:
      return sinusoids_in_halves(dev, table, HalvesSteps::less_one);
    case Positions::none:
      return fill(dev, table, 0);
  }
}

}  // namespace gradus
