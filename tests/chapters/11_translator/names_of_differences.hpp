#pragma once
/// \file
/// What `differences` says of two recipes, without the values.

#include <string>

#include "11_translator/training/record/recipe_differences.hpp"

namespace gradus::test {

/// "--seed, --epochs"
inline std::string names_of_differences(const std::string& a, const std::string& b) {
  std::string names;
  for (const RecipeDifference& d : recipe_differences(a, b)) names += (names.empty() ? "" : ", ") + d.name;
  return names;
}

}  // namespace gradus::test
