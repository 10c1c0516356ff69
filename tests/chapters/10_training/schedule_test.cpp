#include "10_training/optimiser/schedule.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gradus/util/error.hpp"
#include "support/names.hpp"

using namespace gradus;
using gradus::test::Approx;

namespace {

/// The paper's shape: from near 0 straight up to the peak at the end of the warm-up, then down with 1 / sqrt(step).
template <class Rate>
bool rises_and_falls(Rate&& rate, std::uint32_t warmup, double peak) {
  const auto near = [&](std::uint32_t step, double expected) {
    return std::abs(rate(step) - expected) <= 1e-12 * expected;
  };
  return near(1, peak / warmup) && near(warmup / 2, peak / 2) && near(warmup, peak) && near(4 * warmup, peak / 2) &&
         near(100 * warmup, peak / 10);
}

}  // namespace

TEST_CASE("schedules: the names of files and command lines") {
  test::check_names<ScheduleKind>({"constant", "inverse-sqrt", "linear", "cosine", "plateau"});
}

TEST_CASE("schedules: a straight rise to the peak, whatever comes after") {
  for (const auto& [kind, name] : Names<ScheduleKind>::table) {
    const Schedule s{parse<ScheduleKind>(name), 2e-3, 100, 1000};
    CHECK(learning_rate(s, 1) == Approx(2e-5));
    CHECK(learning_rate(s, 50) == Approx(1e-3));
    CHECK(learning_rate(s, 100) == Approx(2e-3));
    CHECK(learning_rate(s, 101) <= 2e-3);
    CHECK(s.kind == kind);
  }
}

TEST_CASE("schedules: the falls") {
  CHECK(learning_rate({ScheduleKind::inverse_sqrt, 1, 100, 0}, 400) == Approx(0.5));
  CHECK(learning_rate({ScheduleKind::inverse_sqrt, 1, 100, 0}, 10000) == Approx(0.1));
  CHECK(learning_rate({ScheduleKind::linear, 1, 100, 300}, 200) == Approx(0.5));
  CHECK(learning_rate({ScheduleKind::linear, 1, 100, 300}, 300) == 0.0);
  CHECK(learning_rate({ScheduleKind::linear, 1, 100, 300}, 5000) == 0.0);
  CHECK(learning_rate({ScheduleKind::cosine, 1, 0, 300}, 100) == Approx(0.75));
  CHECK(learning_rate({ScheduleKind::cosine, 1, 0, 300}, 300) == Approx(0).margin(1e-12));
  CHECK(learning_rate({ScheduleKind::plateau, 1, 10, 0, 0.5, 2}, 11, 3) == Approx(0.125));
  CHECK(learning_rate({ScheduleKind::constant, 1, 0, 0}, 1) == 1.0);
}

TEST_CASE("schedules: a word that is no schedule") { CHECK_THROWS_AS(parse<ScheduleKind>("noam"), UsageError); }

TEST_CASE("schedules: a warm-up that only withholds the plateau, or a rate that never moves, is no warm-up") {
  const Schedule right{ScheduleKind::inverse_sqrt, 2e-3, 100};
  CHECK(rises_and_falls([&](std::uint32_t step) { return learning_rate(right, step); }, 100, 2e-3));
  // say-hello2y: the first 100 epochs only delay the plateau; the rate stays at its start
  const auto withheld = [&](std::uint32_t step) {
    return learning_rate({ScheduleKind::plateau, 2e-3, 0}, step, step <= 100 ? 0 : (step - 100) / 1000);
  };
  CHECK_FALSE(rises_and_falls(withheld, 100, 2e-3));
  CHECK_FALSE(rises_and_falls([](std::uint32_t) { return 2e-3; }, 100, 2e-3));  // the other tutorials
  const auto by_epoch = [&](std::uint32_t step) { return learning_rate(right, 1 + step / 100); };
  CHECK_FALSE(rises_and_falls(by_epoch, 100, 2e-3));  // stepped once an epoch instead of once an update
}

namespace {

struct GoldenRate {
  std::uint32_t step;
  double rate;
};

/// Rates within 1e-15 of the expected ones: two neighbouring steps differ by far more.
void expect_rates(const Schedule& s, const std::vector<GoldenRate>& expected, std::uint32_t reductions = 0) {
  for (const auto& [step, rate] : expected) {
    INFO(name_of(s.kind) << ", step " << step << ", " << reductions << " reductions");
    CHECK(learning_rate(s, step, reductions) == Approx(rate).epsilon(1e-14).margin(1e-17));
  }
}

}  // namespace

// Warm-up to step 8, end at step 40; peak 0.004. The middle of the fall is step 24.
TEST_CASE("schedules: golden numbers at the first step, around the warm-up, in the middle, at the end and beyond") {
  const std::vector<GoldenRate> rise{{1, 0.0005}, {2, 0.001}, {7, 0.0035}, {8, 0.004}};
  for (const auto& [kind, name] : Names<ScheduleKind>::table) expect_rates({kind, 0.004, 8, 40}, rise);
  expect_rates({ScheduleKind::constant, 0.004, 8, 40}, {{9, 0.004}, {24, 0.004}, {40, 0.004}, {100, 0.004}});
  expect_rates({ScheduleKind::inverse_sqrt, 0.004, 8, 40},
               {{9, 0.004 * 0.9428090415820634}, {32, 0.002}, {72, 0.004 / 3}, {128, 0.001}});
  expect_rates({ScheduleKind::linear, 0.004, 8, 40},
               {{9, 0.003875}, {24, 0.002}, {39, 0.000125}, {40, 0}, {41, 0}, {4000000000, 0}});
  expect_rates({ScheduleKind::cosine, 0.004, 8, 40}, {{9, 0.004 * 0.9975923633360985},
                                                      {16, 0.004 * 0.8535533905932737},
                                                      {24, 0.002},
                                                      {32, 0.004 * 0.14644660940672624},
                                                      {39, 0.004 * 0.002407636663901591},
                                                      {40, 0},
                                                      {41, 0}});
}

TEST_CASE("schedules: golden numbers without warm-up") {
  expect_rates({ScheduleKind::constant, 0.004, 0, 0}, {{1, 0.004}, {2, 0.004}});
  expect_rates({ScheduleKind::inverse_sqrt, 0.004, 0, 0}, {{1, 0.004}, {4, 0.002}, {16, 0.001}});
  expect_rates({ScheduleKind::linear, 0.004, 0, 4}, {{1, 0.003}, {2, 0.002}, {3, 0.001}, {4, 0}});
  expect_rates({ScheduleKind::cosine, 0.004, 0, 4}, {{1, 0.004 * 0.8535533905932737}, {2, 0.002}, {4, 0}});
  expect_rates({ScheduleKind::plateau, 0.004, 0, 0}, {{1, 0.004}, {2, 0.004}});
}

TEST_CASE("schedules: the plateau after 0, 1, 2 and 3 reductions, and never within the warm-up") {
  const Schedule s{ScheduleKind::plateau, 0.004, 8, 40, 0.25, 2};
  expect_rates(s, {{8, 0.004}, {9, 0.004}, {1000, 0.004}}, 0);
  expect_rates(s, {{8, 0.001}, {9, 0.001}, {1000, 0.001}}, 1);
  expect_rates(s, {{8, 0.00025}, {9, 0.00025}, {1000, 0.00025}}, 2);
  expect_rates(s, {{7, 0.0035}, {8, 0.0000625}, {9, 0.0000625}, {1000, 0.0000625}}, 3);
  for (const ScheduleKind other : {ScheduleKind::constant, ScheduleKind::inverse_sqrt, ScheduleKind::linear}) {
    expect_rates({other, 0.004, 8, 0, 0.25, 2}, {{8, 0.004}}, 3);  // other schedules are not reduced
  }
}

TEST_CASE("schedules: without an end to fall to, the fall has not begun") {
  for (const ScheduleKind kind : {ScheduleKind::linear, ScheduleKind::cosine}) {
    expect_rates({kind, 0.004, 8, 8}, {{8, 0.004}, {9, 0.004}});
    expect_rates({kind, 0.004, 8, 5}, {{7, 0.0035}, {8, 0.004}, {100, 0.004}});
  }
}

TEST_CASE("schedules: each begins at the peak; one with an end is 0 there, and one without an end is not") {
  for (const auto& entry : Names<ScheduleKind>::table) {
    INFO(entry.name);
    expect_rates({entry.value, 0.004, 8, 40}, {{8, 0.004}});
    for (const std::uint32_t end : {40U, 200U}) {
      CHECK((learning_rate({entry.value, 0.004, 8, end}, end) == 0) == has_an_end(entry.value));
      CHECK(learning_rate({entry.value, 0.004, 8, end}, end - 1) > 0);
    }
  }
  CHECK(names_with_an_end("or").rfind("linear", 0) == 0);
}

TEST_CASE("schedules: names and kinds belong together, and who has an end") {
  const std::vector<std::pair<std::string, ScheduleKind>> all{{"constant", ScheduleKind::constant},
                                                              {"inverse-sqrt", ScheduleKind::inverse_sqrt},
                                                              {"linear", ScheduleKind::linear},
                                                              {"cosine", ScheduleKind::cosine},
                                                              {"plateau", ScheduleKind::plateau}};
  for (const auto& [name, kind] : all) {
    CHECK(parse<ScheduleKind>(name) == kind);
    CHECK(name_of(kind) == name);
    CHECK(has_an_end(kind) == (name == "linear" || name == "cosine"));
  }
}
