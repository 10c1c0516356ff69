#include "11_translator/training/same_training.hpp"

#include <sstream>
#include <vector>

#include "11_translator/training/record/recipe_differences.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/ranks/world.hpp"

namespace gradus {
namespace {

struct Choice {
  const char* name;
  std::string value;
};

/// What ranks must agree on before the text is read: the recipe does not hold it, or is not made yet, or rank 0's folder decides
/// what nobody gave.
std::vector<Choice> choices(const TrainingRequest& r) {
  std::ostringstream minutes;
  minutes << r.max_minutes;
  return {{"--device", name_of(device_taken(r.device))},
          {"--products", r.plan.products ? name_of(*r.plan.products) : "none"},
          {"--max-steps", std::to_string(r.max_steps)},
          {"--max-minutes", minutes.str()},
          {"--save-every", std::to_string(r.save_every)},
          {"--overwrite", r.overwrite ? "given" : "absent"},
          {"--warmup", r.warmup_is_given ? std::to_string(r.plan.schedule.warmup) : "none"},
          {"--normalise", r.normalises_like_run ? "none" : name_of(r.tokenizer.rules.normalisation)}};
}

}  // namespace

std::string require_same_training(const TrainingRequest& r, Ranks& ranks) {
  std::string warning = require_same_program(ranks);
  std::vector<Choice> mine;
  together(ranks, [&] { mine = choices(r); });
  for (const Choice& choice : mine) require_same(ranks, choice.name, choice.value);
  return warning;
}

void require_same_recipe(const std::string& recipe, Ranks& ranks) {
  const auto other = difference(ranks, recipe);
  if (!other) return;
  const std::string rank = "rank " + std::to_string(other->rank);
  fail_together(ranks,
                rank + " differs from rank 0 in " +
                    differences(other->first, other->other, "on rank 0", "on " + rank) +
                    "; all ranks need the same options and the same text",
                2);
}

}  // namespace gradus
