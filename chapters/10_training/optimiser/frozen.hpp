#pragma once
/// \file
/// Parts of a model that a training leaves as they are, as people do who train a finished model on.

#include <vector>

#include "gradus/params/layout.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// The parts by the names of their parameters.
struct FrozenParts {
  bool embeddings = false;  ///< the tables of words; a tied output layer has the same table
  bool encoder = false, decoder = false;
};

/// Neighbouring parameters of the flat store that are all frozen, or all not.
struct ParameterRun {
  Interval at;
  bool is_frozen = false;
};

/// The whole layout in its order, as few runs as possible. Throws UsageError if all parameters are frozen.
std::vector<ParameterRun> parameter_runs(const Layout& layout, const FrozenParts& frozen);

}  // namespace gradus
