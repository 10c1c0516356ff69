#pragma once
/// \file
/// The form of the weights that a search multiplies with.

namespace gradus {

enum class SearchWeights {
  exact,  ///< as the model has them
  int8    ///< rounded to 8 bits, and the other factor of each product too: faster, less exact, on a processor only
};

}  // namespace gradus
