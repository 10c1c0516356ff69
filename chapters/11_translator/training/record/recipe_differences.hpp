#pragma once
/// \file
/// In what two recipes differ, in the words of the command line.

#include <string>
#include <vector>

namespace gradus {

/// The option that chooses a field of a model's configuration ("d_model": "--d-model") or of a recipe ("learning rate":
/// "--learning-rate"); a field that no option chooses keeps its name.
std::string option_of(const std::string& field);

struct RecipeDifference {
  std::string name;           ///< "--d-model", or "training data" for what is no option
  std::string first, second;  ///< the values as JSON; "" where a recipe has none
};

/// The choices in which two recipes differ, in their order. What only follows from another choice is left out: the
/// vocabulary of another text, the rates that --dropout sets.
std::vector<RecipeDifference> recipe_differences(const std::string& a, const std::string& b);

/// Their names: "--seed, --epochs".
std::string differences(const std::string& a, const std::string& b);

}  // namespace gradus
