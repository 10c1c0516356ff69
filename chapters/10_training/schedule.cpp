#include "10_training/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

/// The progress of the fall, from 0 at the end of the warm-up to 1 at decay_steps.
double progress(const Schedule& s, double step) {
  if (s.decay_steps <= s.warmup) return 0;
  return std::clamp((step - s.warmup) / (double(s.decay_steps) - s.warmup), 0.0, 1.0);
}

}  // namespace

double learning_rate(const Schedule& s, std::uint32_t step, std::uint32_t reductions) {
  if (step < s.warmup) return s.peak * step / s.warmup;
  switch (s.kind) {
    case ScheduleKind::constant:
      return s.peak;
    case ScheduleKind::inverse_sqrt:
      return s.peak * std::sqrt(std::max(1.0, double(s.warmup)) / std::max(1U, step));
    case ScheduleKind::linear:
      return s.peak * (1 - progress(s, step));
    case ScheduleKind::cosine:
      return s.peak * 0.5 * (1 + std::cos(3.14159265358979323846 * progress(s, step)));
    case ScheduleKind::plateau:
      return s.peak * std::pow(s.factor, reductions);
  }
  return s.peak;
}

}  // namespace gradus
