#include "app/terminal/line_progress.hpp"

#include <cmath>

#include "app/terminal/console.hpp"

namespace gradus {

std::string progress_text(const std::string& what, std::size_t lines, std::size_t all, double seconds) {
  const double left = seconds / static_cast<double>(lines) * static_cast<double>(all - lines);
  return what + " " + std::to_string(lines) + " of " + std::to_string(all) + " lines, " +
         std::to_string(std::lround(left)) + " s left";
}

void LineProgress::show(std::size_t lines) {
  const auto now = Clock::now();
  const auto seconds = [&](Clock::time_point since) { return std::chrono::duration<double>(now - since).count(); };
  const bool terminal = console().is_terminal();
  if (lines >= all_) {
    if (terminal) console().renew("");
    return;
  }
  if (seconds(shown_) < (terminal ? 0.2 : 30.0)) return;
  shown_ = now;
  const std::string text = progress_text(what_, lines, all_, seconds(started_));
  if (terminal) {
    console().renew(text.substr(0, console().columns() - 1));
  } else {
    console().say(text);
  }
}

}  // namespace gradus
