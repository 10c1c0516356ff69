#include "11_translator/training/same_training.hpp"

#include <vector>

#include "11_translator/training/record/recipe_differences.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/ranks/same_program.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

struct Choice {
  const char* name;
  std::string value;
};

/// What the recipe does not hold, and ranks must agree on.
std::vector<Choice> choices(const TrainingRequest& r) {
  return {{"--device", name_of(device_taken(r.device))},
          {"--max-steps", std::to_string(r.max_steps)},
          {"--max-minutes", std::to_string(r.max_minutes)}};
}

[[noreturn]] void refuse(Ranks& ranks, std::size_t rank, const std::string& what) {
  const std::string text =
      "rank " + std::to_string(rank) + " has " + what + " than rank 0; all ranks need the same";
  together(ranks, [&] { throw UsageError(text); });
  fail(text);
}

}  // namespace

std::string require_same_training(const TrainingRequest& r, Ranks& ranks) {
  std::string warning = require_same_program(ranks);
  for (const Choice& choice : choices(r)) {
    const auto other = difference(ranks, choice.value);
    if (other)
      refuse(ranks, other->rank,
             std::string("another ") + choice.name + " (" + other->other + ", not " + other->first + ")");
  }
  return warning;
}

void require_same_recipe(const std::string& recipe, Ranks& ranks) {
  const auto other = difference(ranks, recipe);
  if (other)
    refuse(ranks, other->rank, "other options or another text (" + differences(other->first, other->other) + ")");
}

}  // namespace gradus
