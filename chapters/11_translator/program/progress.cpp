#include "11_translator/program/progress.hpp"

#include <cmath>
#include <cstdio>

#include "11_translator/program/console.hpp"
#include "gradus/io/utf8.hpp"

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
  std::string done, left;
  for (int i = 0; i < 20; ++i) (i < std::lround(20 * share) ? done : left) += '=';
  if (!console().has_colour()) return "[" + done + std::string(left.size(), ' ') + "]";
  return "\x1b[32m" + done + "\x1b[90m" + left + "\x1b[0m";
}

/// `text` so that it stands back, where there is colour.
std::string dim(const std::string& text) { return console().has_colour() ? "\x1b[2m" + text + "\x1b[0m" : text; }

/// An untrained model may say a hundred words.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 120;
  std::u32string points = code_points(text);
  if (points.size() <= most) return text;
  points.resize(most);
  return to_utf8(points) + "...";
}

}  // namespace

void Progress::step(const StepReport& report, std::uint32_t all_steps) {
  if (console().quiet) return;
  if (first_step_ == 0) first_step_ = report.step;
  const std::uint32_t done = report.step - first_step_ + 1;
  loss_ = done == 1 ? report.loss : loss_ + (report.loss - loss_) / (done < 50 ? done : 50);
  tokens_ += report.target_tokens;

  const bool terminal = console().is_terminal();
  const auto now = Clock::now();
  const double since_shown = std::chrono::duration<double>(now - shown_).count();
  if (since_shown < (terminal ? 0.2 : 30.0) && report.step != all_steps) return;
  shown_ = now;
  const double used = std::chrono::duration<double>(now - started_).count();
  const double left = used / done * (all_steps - report.step);
  char text[200];
  std::snprintf(text, sizeof text, "step %u/%u  epoch %u  loss %.3f  rate %.2e  %.0f tokens/s  %s left",
                report.step, all_steps, report.epoch, loss_, report.learning_rate,
                static_cast<double>(tokens_) / used, clock_text(left).c_str());
  if (!terminal) {
    console().say(text);
    return;
  }
  std::fprintf(stderr, "\r\x1b[K%s %s", bar(static_cast<double>(report.step) / all_steps).c_str(), text);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::validation(const ValidationRecord& v, bool is_best) {
  char text[160];
  std::snprintf(text, sizeof text, "epoch %u, step %u: validation loss %.4f, perplexity %.2f, BLEU %.2f%s", v.epoch,
                v.step, v.loss, std::exp(v.loss), v.bleu, is_best ? " (best)" : "");
  line(text);
  for (const SampleTranslation& s : v.samples) {
    line("  " + dim("source      " + shortened(s.source)));
    line("  " + dim("reference   " + shortened(s.reference)));
    line("  translation " + shortened(s.translation));
  }
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void Progress::line(const std::string& text) {
  clear();
  console().say(text);
}

}  // namespace gradus
