#include "app/terminal/line_progress.hpp"

#include <cmath>

#include "app/terminal/console.hpp"

namespace gradus {

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
  const double left = seconds(started_) / static_cast<double>(lines) * static_cast<double>(all_ - lines);
  const std::string text = what_ + " " + std::to_string(lines) + " of " + std::to_string(all_) + " lines, " +
                           std::to_string(std::lround(left)) + " s left";
  if (terminal) {
    console().renew(text.substr(0, console().columns() - 1));
  } else {
    console().say(text);
  }
}

}  // namespace gradus
