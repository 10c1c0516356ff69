// What ranks of a training must agree on before they read the text. What the recipe holds: training_recipe_test.cpp.
#include "11_translator/training/same_training.hpp"

#include <functional>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

TrainingRequest usual() {
  TrainingRequest r;
  r.device = DeviceChoice::cpu;
  r.warmup_is_given = false;  // as the command line has it
  r.normalises_like_run = true;
  return r;
}

struct Choice {
  std::string difference;  ///< in the message; empty: ranks may differ in this
  std::function<void(TrainingRequest&)> make;
};

const std::vector<Choice> other_choices = {
    {"--max-steps (9, not 0)", [](auto& r) { r.max_steps = 9; }},
    {"--max-minutes (2.5, not 0)", [](auto& r) { r.max_minutes = 2.5; }},
    {"--save-every (7, not 500)", [](auto& r) { r.save_every = 7; }},
    {"--overwrite (given, not absent)", [](auto& r) { r.overwrite = true; }},
    {"--products (exact, not none)", [](auto& r) { r.plan.products = Products::exact; }},
    {"--warmup (70, not none)", [](auto& r) { r.warmup_is_given = true, r.plan.schedule.warmup = 70; }},
    {"--normalise (never, not none)",
     [](auto& r) { r.normalises_like_run = false, r.tokenizer.rules.normalisation = Normalisation::never; }},
    {"", [](auto& r) { r.threads = 7; }},
    {"", [](auto& r) { r.output = "elsewhere"; }},
    {"", [](auto& r) { r.ids = "elsewhere.ids"; }},
    {"", [](auto& r) { r.train_source = "elsewhere.en"; }},
    {"", [](auto& r) { r.title = "another"; }},
};

}  // namespace

TEST_CASE(
    "ranks: a training with another length, saving, --overwrite, warm-up or normalisation on one rank is refused") {
  for (const Choice& choice : other_choices) {
    const auto errors = on_ranks(3, [&](Ranks& ranks) {
      TrainingRequest r = usual();
      if (ranks.rank() == 2) choice.make(r);
      require_same_training(r, ranks);
    });
    INFO(choice.difference << ": " << errors[0]);
    if (choice.difference.empty()) {
      CHECK(errors == std::vector<std::string>(3));
    } else {
      const std::string text = "rank 2 has another " + choice.difference + " than rank 0; all ranks need the same";
      CHECK(errors == std::vector<std::string>{text, "ended with others", "ended with others"});
    }
  }
}
