#pragma once
/// \file
/// Suggestions for mistyped words.

#include <string>
#include <vector>

namespace gradus {

/// The word of `known` that is nearest to `word`: it begins with `word`, or at most a third of its letters are
/// missing, added, replaced or swapped with the next one. Of several the first; empty if none is that near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// "; did you mean --d-model?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace gradus
