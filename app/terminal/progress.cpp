#include "app/terminal/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "app/terminal/console.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// "1:02:03" or "2:03".
std::string clock_text(double seconds) {
  const long s = std::lround(seconds);
  char text[32];
  if (s >= 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
  }
  return text;
}

/// A bar of `cells` cells, at least 3, with `share` of them filled.
std::string bar(double share, std::size_t cells) {
  const bool colour = console().has_colour();
  const std::size_t inner = colour ? cells : cells - 2;
  const auto part = static_cast<std::size_t>(std::lround(static_cast<double>(inner) * std::min(share, 1.0)));
  const std::string done(part, '='), left(inner - part, colour ? '=' : ' ');
  return colour ? "\x1b[32m" + done + "\x1b[90m" + left + "\x1b[0m" : "[" + done + left + "]";
}

template <class... Values>
std::string text_of(const char* format, Values... values) {
  char text[80];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// The text is cut: an untrained model may output a hundred words.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 120;
  std::u32string points = code_points(text);
  if (points.size() <= most) return text;
  points.resize(most);
  return to_utf8(points) + "...";
}

}  // namespace

void Progress::begin() { started_ = shown_ = Clock::now(); }

void Progress::step(const StepReport& report, std::uint32_t all_steps) {
  if (console().quiet) return;
  pace_.add(report);
  const bool terminal = console().is_terminal();
  const auto now = Clock::now();
  const double since_shown = std::chrono::duration<double>(now - shown_).count();
  if (since_shown < (terminal ? 0.2 : 30.0) && report.step != all_steps) return;
  shown_ = now;
  const double used = std::chrono::duration<double>(now - started_).count();
  const std::vector<StatusField> fields{{text_of("step %u/%u", report.step, all_steps), 0},
                                        {text_of("epoch %u", report.epoch), 4},
                                        {text_of("loss %.3f", pace_.loss()), 2},
                                        {text_of("rate %.2e", report.learning_rate), 5},
                                        {text_of("%.0f tokens/s", pace_.tokens_per_second(used)), 3},
                                        {clock_text(pace_.seconds_left(used, all_steps)) + " left", 1}};
  if (terminal) {
    draw(fields, static_cast<double>(report.step) / all_steps);
  } else {
    console().say(fitted(fields, std::numeric_limits<std::size_t>::max()).text);
  }
}

void Progress::draw(const std::vector<StatusField>& fields, double share) {
  // the last cell stays empty: some terminals continue on the next line after it
  const std::size_t columns = console().columns() - 1;
  StatusLine line = fitted(fields, columns);
  if (line.text.empty()) line = fitted({{text_of("%.0f%%", 100 * share)}}, columns);
  console().renew(line.bar == 0 ? line.text : bar(share, line.bar) + " " + line.text);
}

void Progress::validation(const ValidationRecord& v, bool is_best) {
  char text[160];
  std::snprintf(text, sizeof text, "epoch %u, step %u: validation loss %.4f, perplexity %.2f, BLEU %.2f%s", v.epoch,
                v.step, v.loss, std::exp(v.loss), v.bleu, is_best ? " (best)" : "");
  line(text);
  for (const SampleTranslation& s : v.samples) {
    console().say("  source      " + printable(shortened(s.source)), true);
    console().say("  reference   " + printable(shortened(s.reference)), true);
    line("  translation " + shortened(s.translation));
  }
}

void Progress::clear() { console().renew(""); }

void Progress::line(const std::string& text) { console().say(printable(text)); }

}  // namespace gradus
