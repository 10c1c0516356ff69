#include "app/terminal/status_line.hpp"

#include "app/answers/translate_request.hpp"
#include "app/terminal/line_progress.hpp"
#include "app/terminal/pace.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

const std::vector<StatusField> fields{
    {"step 12/345", 0}, {"epoch 6", 2}, {"7:08 left", 1}};  // 11 + 2 + 7 + 2 + 9 = 31 cells

std::vector<std::size_t> bars(std::size_t from, std::size_t to) {
  std::vector<std::size_t> found;
  for (std::size_t columns = from; columns <= to; ++columns) found.push_back(fitted(fields, columns).bar);
  return found;
}

std::size_t cells(const StatusLine& line) {
  return line.bar == 0 ? line.text.size() : line.bar + 1 + line.text.size();
}

}  // namespace

TEST_CASE("status line: the bar shrinks, then fields go in their order, then the bar, then all") {
  const std::string all = "step 12/345  epoch 6  7:08 left", two = "step 12/345  7:08 left", one = "step 12/345";
  for (std::size_t columns = 38; columns < 60; ++columns) CHECK(fitted(fields, columns).text == all);
  for (std::size_t columns = 29; columns < 38; ++columns) CHECK(fitted(fields, columns).text == two);
  for (std::size_t columns = 11; columns < 29; ++columns) CHECK(fitted(fields, columns).text == one);
  for (std::size_t columns = 0; columns < 11; ++columns) CHECK(fitted(fields, columns).text.empty());
  CHECK(bars(51, 54) == std::vector<std::size_t>{19, 20, 20, 20});
  CHECK(bars(37, 39) == std::vector<std::size_t>{14, 6, 7});
  CHECK(bars(28, 30) == std::vector<std::size_t>{16, 6, 7});
  CHECK(bars(16, 19) == std::vector<std::size_t>{0, 0, 6, 7});
}

TEST_CASE("status line: it never has more cells than the given columns") {
  for (std::size_t columns = 0; columns < 100; ++columns) {
    CHECK(cells(fitted(fields, columns)) <= columns);
    CHECK(cells(fitted({}, columns)) <= columns);
  }
}

TEST_CASE("line progress: the time left is that of the lines that are left") {
  CHECK(progress_text("beam 5:", 400, 1600, 12) == "beam 5: 400 of 1600 lines, 36 s left");
  CHECK(progress_text("scored", 999, 1000, 3000) == "scored 999 of 1000 lines, 3 s left");
}

TEST_CASE("lines at a time: as many as asked for, or enough for each thread of each rank") {
  TranslateRequest r;
  r.options.threads = 3;
  CHECK(most_lines(r, 1) == 576);
  CHECK(most_lines(r, 2) == 1152);
  r.buffer = 7;
  CHECK(most_lines(r, 2) == 7);
}

namespace {

/// Step `step` of a run; no two numbers of two steps are equal.
StepReport report_of(std::uint32_t step) {
  StepReport r;
  r.step = step, r.epoch = 2, r.batch = 3, r.batches = 19;
  r.source_tokens = 101 + 7 * step, r.target_tokens = 211 + 3 * step;
  r.loss = 5 + 1.0 / step, r.gradient_norm = 0.3 * step, r.learning_rate = 0.01 / step;
  return r;
}

}  // namespace

TEST_CASE(
    "pace: the mean loss, the target tokens of a second and the time left are those of the session's own steps") {
  Pace pace;  // of a run that goes on after step 40
  double losses = 0;
  std::size_t tokens = 0;
  for (std::uint32_t step = 41; step <= 47; ++step) {
    const StepReport r = report_of(step);
    pace.add(r);
    losses += r.loss, tokens += r.target_tokens;
    const double steps = step - 40, seconds = 1.7 * steps + 0.1;
    CHECK(pace.loss() == test::Approx(losses / steps).epsilon(1e-12));
    CHECK(pace.tokens_per_second(seconds) == test::Approx(static_cast<double>(tokens) / seconds).epsilon(1e-12));
    CHECK(pace.seconds_left(seconds, 90) == test::Approx((90 - step) * (seconds / steps)).epsilon(1e-12));
  }
  CHECK(pace.seconds_left(12, 47) == 0);
}

TEST_CASE("pace: after fifty steps the loss follows the new ones by a fiftieth") {
  Pace pace;
  double expected = 0;
  for (std::uint32_t step = 1; step <= 130; ++step) {
    const double loss = report_of(step).loss;
    expected = step <= 50 ? (expected * (step - 1) + loss) / step : 0.98 * expected + 0.02 * loss;
    pace.add(report_of(step));
    CHECK(pace.loss() == test::Approx(expected).epsilon(1e-12));
  }
}
