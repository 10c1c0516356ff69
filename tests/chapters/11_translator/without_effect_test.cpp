// Choices that do not fit the length of a run are said, each in one line, and no others.

#include "11_translator/training/without_effect.hpp"

#include "support/catch.hpp"

using namespace gradus;
using Lines = std::vector<std::string>;

namespace {

/// A run in which everything takes effect: 7 epochs of 26 steps.
TrainingRequest fitting() {
  TrainingRequest r;
  TrainingPlan& p = r.plan;
  p.epochs = 7, p.patience = 3, p.average_last = 5;
  p.schedule = {ScheduleKind::linear, 0.04, 30};
  r.save_every = 100;
  return r;
}

constexpr std::uint32_t steps = 182;

Lines lines_after(void (*change)(TrainingRequest&)) {
  TrainingRequest r = fitting();
  change(r);
  return without_effect(r, steps);
}

}  // namespace

TEST_CASE("run length: what fits is not mentioned") {
  CHECK(without_effect(fitting(), steps).empty());
  CHECK(lines_after([](auto& r) { r.plan.schedule.warmup = 181; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.schedule.decay_steps = 182; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.schedule = {ScheduleKind::constant, 0.04, 30, 999}; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.valid_every = 13; }).empty());
  CHECK(lines_after([](auto& r) { r.save_every = 182; }).empty());
  CHECK(lines_after([](auto& r) { r.save_every = 500; }).empty());  // nobody's choice; each epoch is saved
  CHECK(lines_after([](auto& r) { r.save_every = 0; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.patience = 6; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.patience = 0; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.average_last = 7; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.average_last = 8, r.average_is_given = false; }).empty());
  CHECK(lines_after([](auto& r) { r.plan.average_last = 8, r.keep_best = true; }).empty());
  CHECK(lines_after([](auto& r) {
          r.plan.schedule.kind = ScheduleKind::plateau, r.plan.schedule.patience = 4, r.plan.schedule.delay = 2;
          r.plan.patience = 6;
        }).empty());
}

TEST_CASE("run length: a warm-up, and a fall of the rate, beyond the end") {
  CHECK(
      lines_after([](auto& r) { r.plan.schedule.warmup = 728; }) ==
      Lines{"--warmup 728: the run has 182 steps, so its learning rate only rises, to 0.01 of 0.04; give a shorter "
            "warm-up"});
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::inverse_sqrt, ScheduleKind::cosine}) {
    TrainingRequest r = fitting();
    r.plan.schedule.kind = kind, r.plan.schedule.warmup = 182;
    CHECK(without_effect(r, steps).size() == 1);
  }
  CHECK(lines_after([](auto& r) { r.plan.schedule.decay_steps = 334; }) ==
        Lines{"--decay-steps 334: the run has 182 steps, so its learning rate falls only to 0.02 of 0.04"});
  CHECK(lines_after([](auto& r) { r.plan.schedule.decay_steps = 181; }) ==
        Lines{"--decay-steps 181: the run has 182 steps, and the last 2 have the rate 0 and learn nothing"});
  CHECK(lines_after([](auto& r) {
          r.plan.schedule.kind = ScheduleKind::cosine, r.plan.schedule.decay_steps = 50;
        }) == Lines{"--decay-steps 50: the run has 182 steps, and the last 133 have the rate 0 and learn nothing"});
  for (const ScheduleKind kind : {ScheduleKind::linear, ScheduleKind::cosine, ScheduleKind::constant}) {
    TrainingRequest r = fitting();
    r.plan.schedule.kind = kind, r.plan.schedule.warmup = 0, r.plan.epochs = 1, r.plan.patience = 0;
    r.average_is_given = false, r.save_every = 0;
    const Lines none, one{std::string("the run has 1 step, and there the rate of --schedule ") + name_of(kind) +
                          " is 0: it learns nothing"};
    CHECK(without_effect(r, 1) == (kind == ScheduleKind::constant ? none : one));
  }
  for (const std::uint32_t end : {1U, 30U}) {
    TrainingRequest r = fitting();
    r.plan.schedule.decay_steps = end;
    CHECK(without_effect(r, steps) == Lines{"--decay-steps " + std::to_string(end) +
                                            ": the rate falls after the warm-up of 30 steps, so it never falls"});
  }
}

TEST_CASE("run length: validations and checkpoints beyond the end") {
  CHECK(
      lines_after([](auto& r) { r.plan.valid_every = 183, r.plan.patience = 0, r.average_is_given = false; }) ==
      Lines{"--valid-every 183: the run has 182 steps, so it never validates; the model has the weights after the "
            "last one"});
  CHECK(lines_after([](auto& r) {
          r.plan.valid_every = 183, r.plan.patience = 0, r.keep_best = true, r.save_every = 500;
        }) ==
        Lines{"--valid-every 183: the run has 182 steps, so it never validates; the model has the weights after "
              "the last one, and --keep-best has no effect",
              "--save-every 500: the run has 182 steps, so it is saved at its end only"});
  CHECK(lines_after([](auto& r) { r.save_every = 183; }) ==
        Lines{"--save-every 183: the run has 182 steps, so it is saved when it validates and at its end only"});
}

TEST_CASE("run length: a patience, a mean and a plateau of more validations than there are") {
  CHECK(lines_after([](auto& r) { r.plan.patience = 7; }) ==
        Lines{"--patience 7: the run has 7 validations, so it cannot end early"});
  CHECK(lines_after([](auto& r) { r.plan.average_last = 8; }) ==
        Lines{"--average-last 8: the run has 7 validations, so the mean is of these"});
  CHECK(lines_after([](auto& r) { r.plan.valid_every = 100, r.plan.patience = 1; }) ==
        Lines{"--patience 1: the run has 1 validation, so it cannot end early",
              "--average-last 5: the run has 1 validation, so there is no mean"});
  CHECK(lines_after([](auto& r) { r.plan.schedule.kind = ScheduleKind::plateau, r.plan.schedule.patience = 7; }) ==
        Lines{"--plateau-patience 7: the run has 7 validations, so the rate is never reduced"});
  CHECK(
      lines_after([](auto& r) {
        r.plan.schedule.kind = ScheduleKind::plateau, r.plan.schedule.patience = 5, r.plan.schedule.delay = 2;
      }) ==
      Lines{
          "--plateau-patience 5 after --plateau-delay 2: the run has 7 validations, so the rate is never reduced"});
}

TEST_CASE("run length: a patience that ends the run before a plateau reduces the rate") {
  const auto lines = [](std::uint32_t patience, std::uint32_t of_plateau, double threshold,
                        std::uint32_t delay = 0) {
    TrainingRequest r = fitting();
    r.plan.patience = patience, r.plan.schedule.kind = ScheduleKind::plateau;
    r.plan.schedule.patience = of_plateau, r.plan.schedule.threshold = threshold, r.plan.schedule.delay = delay;
    return without_effect(r, steps);
  };
  const Lines exact{
      "--plateau-patience 4: with --patience 3 the run ends before the rate is reduced; give a --patience of at "
      "least 6"};
  CHECK(lines(3, 4, 0) == exact);
  CHECK(lines(5, 4, 0).size() == 1);  // the rate is reduced at the last validation
  CHECK(lines(3, 4, 1e-4) == Lines{"--plateau-patience 4: with --patience 3 the run ends before the rate is "
                                   "reduced, unless the loss falls by "
                                   "less than --plateau-threshold; give a --patience of at least 6"});
  CHECK(lines(6, 4, 0).empty());
  CHECK(lines(0, 4, 0).empty());
  CHECK(lines(1, 0, 0).size() == 1);
  CHECK(lines(2, 0, 0).empty());
  CHECK(lines(3, 4, 0, 2) == exact);
  CHECK(lines(3, 4, 0, 3) ==
        Lines{"--plateau-patience 4 after --plateau-delay 3: the run has 7 validations, so the rate is "
              "never reduced"});
  CHECK(lines(7, 6, 0) == Lines{"--patience 7: the run has 7 validations, so it cannot end early"});
}

TEST_CASE("run length: everything that a run without validations makes vain is said") {
  const Lines all = lines_after([](auto& r) {
    r.plan.valid_every = 1000, r.plan.schedule.kind = ScheduleKind::plateau, r.plan.schedule.warmup = 999;
    r.save_every = 999;
  });
  REQUIRE(all.size() == 6);
  const Lines options{"--warmup",   "--valid-every",  "--save-every",
                      "--patience", "--average-last", "--plateau-patience"};
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].rfind(options[i] + " ", 0) == 0);
}

TEST_CASE("run length: a stop before the end is said if it comes within the warm-up or before a validation") {
  TrainingRequest r = fitting();
  CHECK(effect_of_stop(r, steps, 0).empty());
  r.max_steps = 30;
  CHECK(effect_of_stop(r, steps, 0).empty());
  r.max_steps = 29;
  CHECK(effect_of_stop(r, steps, 0) == "--max-steps 29: the run stops within its warm-up of 30 steps");
  r.plan.valid_every = 29;
  CHECK(effect_of_stop(r, steps, 0) == "--max-steps 29: the run stops within its warm-up of 30 steps");
  r.plan.valid_every = 31;
  CHECK(effect_of_stop(r, steps, 0) ==
        "--max-steps 29: the run stops within its warm-up of 30 steps and before its first "
        "validation, after step 31");
  r.max_steps = 30;
  CHECK(effect_of_stop(r, steps, 0) == "--max-steps 30: the run stops before its first validation, after step 31");
  CHECK(effect_of_stop(r, steps, 29) == effect_of_stop(r, steps, 0));
  CHECK(effect_of_stop(r, steps, 30) == "--max-steps 30: the run has made 30 steps already, and makes no more");
  r.max_steps = 1;
  CHECK(effect_of_stop(r, steps, 30) == "--max-steps 1: the run has made 30 steps already, and makes no more");
  r.max_steps = 182, r.plan.schedule.warmup = 200;
  CHECK(effect_of_stop(r, steps, 0).empty());  // that is its end
}

TEST_CASE("run length: a hint at few steps, for a small text in the usual batches") {
  const auto hint = [](std::size_t count, std::uint32_t epochs, std::size_t tokens = 1024,
                       std::size_t vocabulary = 2000, TokenizerKind kind = TokenizerKind::sentencepiece,
                       const std::string& init_from = "") {
    TrainingRequest r;
    r.init_from = init_from;
    r.plan.epochs = epochs, r.plan.batches.tokens = tokens, r.tokenizer.kind = kind;
    const IdPairs pairs{std::vector<std::vector<std::int32_t>>(count, {4}),
                        std::vector<std::vector<std::int32_t>>(count, {5})};
    return hint_at_few_steps(r, PairsView(pairs), vocabulary);
  };
  CHECK(
      hint(1, 499) ==
      "this text makes only 499 steps, and the model will hardly learn to translate; try --batch-tokens 256, which "
      "makes at least 499");
  CHECK(hint(1, 500).empty());
  CHECK_FALSE(hint(10'000, 1).empty());
  CHECK(hint(10'001, 1).empty());
  CHECK(hint(1, 499, 1023).empty());
  const std::string smaller = ", and --vocab-size 1000, so that each subword occurs more often";
  CHECK(hint(1, 499, 1024, 2001).find(smaller) != std::string::npos);
  CHECK(hint(1, 499, 1024, 2001, TokenizerKind::word).find(smaller) == std::string::npos);
  CHECK(hint(1, 499, 1024, 2000, TokenizerKind::sentencepiece, "en-de").empty());
}
