#include "11_translator/program/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

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

std::string bar(double share) {
  std::string text = "[";
  for (int i = 0; i < 20; ++i) text += i < std::lround(20 * share) ? '=' : ' ';
  return text + "]";
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0), started_(Clock::now()), shown_(started_) {}

void Progress::step(const StepReport& report, std::uint32_t all_steps) {
  if (first_step_ == 0) first_step_ = report.step;
  const std::uint32_t done = report.step - first_step_ + 1;
  loss_ = done == 1 ? report.loss : loss_ + (report.loss - loss_) / (done < 50 ? done : 50);
  tokens_ += report.target_tokens;

  const auto now = Clock::now();
  const double since_shown = std::chrono::duration<double>(now - shown_).count();
  if (since_shown < (terminal_ ? 0.2 : 30.0) && report.step != all_steps) return;
  shown_ = now;
  const double used = std::chrono::duration<double>(now - started_).count();
  const double left = used / done * (all_steps - report.step);
  char text[200];
  std::snprintf(text, sizeof text, "step %u/%u  epoch %u  loss %.3f  rate %.2e  %.0f tokens/s  %s left",
                report.step, all_steps, report.epoch, loss_, report.learning_rate,
                static_cast<double>(tokens_) / used, clock_text(left).c_str());
  if (terminal_) {
    std::fprintf(stderr, "\r\x1b[K%s %s", bar(static_cast<double>(report.step) / all_steps).c_str(), text);
    std::fflush(stderr);
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text);
  }
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void Progress::line(const std::string& text) {
  clear();
  std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace gradus
