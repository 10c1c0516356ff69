#pragma once
/// \file
/// The learning rate: it rises linearly over `warmup` steps, then falls by the schedule.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gradus/util/names.hpp"

namespace gradus {

enum class ScheduleKind { constant, inverse_sqrt, linear, cosine, plateau };

struct Schedule {
  ScheduleKind kind = ScheduleKind::inverse_sqrt;
  double peak = 1e-3;             ///< the rate at the end of the warm-up
  std::uint32_t warmup = 1000;    ///< steps; 0: none
  std::uint32_t decay_steps = 0;  ///< the whole length, warm-up included, of a schedule with an end
  // plateau, as PyTorch's ReduceLROnPlateau
  double factor = 0.5;
  std::uint32_t patience = 2;  ///< validations that may be no better; the next one reduces the rate
  double threshold = 1e-4;     ///< a loss is better if it is below (1 - threshold) times the best one
  std::uint32_t delay = 0;     ///< validations at the beginning that do not count
};

/// The progress of the fall, from 0 at the end of the warm-up to 1 at decay_steps.
inline double progress(const Schedule& s, double step) {
  if (s.decay_steps <= s.warmup) return 0;
  return std::clamp((step - s.warmup) / (double(s.decay_steps) - s.warmup), 0.0, 1.0);
}

/// The rate after the warm-up, as a share of the peak: one function for each schedule. `reductions` is the plateau's.
inline double constant_share(const Schedule&, double, std::uint32_t) { return 1; }

/// The paper's, section 5.3.
inline double inverse_sqrt_share(const Schedule& s, double step, std::uint32_t) {
  return std::sqrt(std::max(1.0, double(s.warmup)) / std::max(1.0, step));
}

inline double linear_share(const Schedule& s, double step, std::uint32_t) { return 1 - progress(s, step); }

/// Half a period.
inline double cosine_share(const Schedule& s, double step, std::uint32_t) {
  return 0.5 * (1 + std::cos(3.14159265358979323846 * progress(s, step)));
}

/// It is reduced when more than `patience` validations in a row are no better.
inline double plateau_share(const Schedule& s, double, std::uint32_t reductions) {
  return std::pow(s.factor, reductions);
}

/// What distinguishes the schedules. All texts about them are made of this.
struct ScheduleForm {
  const char* name;  ///< in files and on the command line
  bool has_end;      ///< it falls to 0 at `decay_steps`, so it needs the length of the training
  double (*share)(const Schedule& s, double step, std::uint32_t reductions);
};

constexpr ScheduleForm form_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::constant:
      return {"constant", false, constant_share};
    case ScheduleKind::inverse_sqrt:
      return {"inverse-sqrt", false, inverse_sqrt_share};
    case ScheduleKind::linear:
      return {"linear", true, linear_share};
    case ScheduleKind::cosine:
      return {"cosine", true, cosine_share};
    case ScheduleKind::plateau:
      return {"plateau", false, plateau_share};
  }
  return {};  // no schedule has this number
}

constexpr std::size_t count_schedules() {
  std::size_t count = 0;
  while (form_of(ScheduleKind(count)).name != nullptr) ++count;
  return count;
}

constexpr std::array<Name<ScheduleKind>, count_schedules()> name_schedules() {
  std::array<Name<ScheduleKind>, count_schedules()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = {ScheduleKind(i), form_of(ScheduleKind(i)).name};
  return names;
}

template <>
struct Names<ScheduleKind> {
  static constexpr const char* noun = "schedule";
  static constexpr auto table = name_schedules();
};

constexpr bool has_an_end(ScheduleKind kind) { return form_of(kind).has_end; }

/// The names of the schedules with an end: "linear or cosine", if `conjunction` is "or".
std::string names_with_an_end(const std::string& conjunction);

/// The rate of step `step`, counted from 1. `reductions`: how often the plateau has reduced it so far.
double learning_rate(const Schedule& schedule, std::uint32_t step, std::uint32_t reductions = 0);

/// The smallest difference between two rates of a plateau: smaller reductions are left out.
inline constexpr double least_reduction = 1e-8;

}  // namespace gradus
