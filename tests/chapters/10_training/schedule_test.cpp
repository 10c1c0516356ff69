#include "10_training/schedule.hpp"

#include <cmath>

#include "gradus/util/error.hpp"
#include "support/catch.hpp"

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

TEST_CASE("schedules: a straight rise to the peak, whatever comes after") {
  for (const char* name : {"constant", "inverse-sqrt", "linear", "cosine", "plateau"}) {
    const Schedule s{schedule_kind(name), 2e-3, 100, 1000};
    CHECK(learning_rate(s, 1) == Approx(2e-5));
    CHECK(learning_rate(s, 50) == Approx(1e-3));
    CHECK(learning_rate(s, 100) == Approx(2e-3));
    CHECK(learning_rate(s, 101) <= 2e-3);
    CHECK(schedule_name(s.kind) == name);
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

TEST_CASE("schedules: a word that is no schedule") { CHECK_THROWS_AS(schedule_kind("noam"), UsageError); }

TEST_CASE("schedules: a warm-up that only withholds the plateau, or a rate that never moves, is no warm-up") {
  const Schedule right{ScheduleKind::inverse_sqrt, 2e-3, 100};
  CHECK(rises_and_falls([&](std::uint32_t step) { return learning_rate(right, step); }, 100, 2e-3));
  // seed 000: the first 100 epochs only keep the plateau from being asked; the rate stays where it began
  const auto withheld = [&](std::uint32_t step) {
    return learning_rate({ScheduleKind::plateau, 2e-3, 0}, step, step <= 100 ? 0 : (step - 100) / 1000);
  };
  CHECK_FALSE(rises_and_falls(withheld, 100, 2e-3));
  CHECK_FALSE(rises_and_falls([](std::uint32_t) { return 2e-3; }, 100, 2e-3));  // 001 to 004
  const auto by_epoch = [&](std::uint32_t step) { return learning_rate(right, 1 + step / 100); };
  CHECK_FALSE(rises_and_falls(by_epoch, 100, 2e-3));  // stepped once an epoch instead of once an update
}
