#pragma once
/// \file
/// What somebody may have meant who mistyped a word.

#include <string>
#include <vector>

namespace gradus {

/// The one of `known` that is nearest to `word`: begins with it, or has at most a third of its letters missing,
/// added, exchanged or swapped with the next one. Empty if none is that near; the first of several.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// "; did you mean --d-model?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace gradus
