#pragma once
/// \file
/// Which parameters a training leaves as they are.

#include <cstddef>
#include <vector>

#include "10_training/optimiser/optimiser.hpp"
#include "gradus/params/layout.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Neighbouring parameters of the flat vector that are all frozen, or all not.
struct ParameterRun {
  Interval at;
  bool is_frozen = false;
};

/// The whole layout in its order, in as few runs as possible. Throws UsageError if all parameters are frozen.
std::vector<ParameterRun> parameter_runs(const Layout& layout, const FrozenParts& frozen);

/// How many parameters are not frozen. Throws as parameter_runs does.
std::size_t trained_parameters(const Layout& layout, const FrozenParts& frozen);

}  // namespace gradus
