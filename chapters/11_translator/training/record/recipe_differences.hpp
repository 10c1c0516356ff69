#pragma once
/// \file
/// The differences of two recipes, named by the options of the command line.

#include <string>
#include <vector>

namespace gradus {

/// The option that sets a field of a model's configuration ("d_model": "--d-model") or of a recipe ("learning
/// rate": "--learning-rate"); a field without an option keeps its name.
std::string option_of(const std::string& field);

struct RecipeDifference {
  std::string name;           ///< "--d-model", or "training data" if there is no option
  std::string first, second;  ///< the values as JSON; "" if the recipe has none
};

/// A value of a recipe (JSON) as a user types it.
std::string unquoted(const std::string& json);

/// The choices in which two recipes differ, in their order. Differences that follow from another choice are left
/// out: the vocabulary of another text, the rates that --dropout sets.
std::vector<RecipeDifference> recipe_differences(const std::string& a, const std::string& b);

/// The same as text: "--seed 7 here, 1 in the run; training data". `of_a` and `of_b` say whose values they are.
std::string differences(const std::string& a, const std::string& b, const std::string& of_a = "here",
                        const std::string& of_b = "in the run");

}  // namespace gradus
