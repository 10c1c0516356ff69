#pragma once
/// \file
/// The learning rate: it rises linearly over `warmup` steps, then falls by the schedule.

#include <cstdint>

#include "gradus/util/names.hpp"

namespace gradus {

enum class ScheduleKind {
  constant,
  inverse_sqrt,  ///< peak sqrt(warmup / step): the paper's, section 5.3
  linear,        ///< to 0 at `decay_steps`
  cosine,        ///< half a period, to 0 at `decay_steps`
  plateau        ///< multiplied by `factor` when more than `patience` validations in a row are no better
};

template <>
struct Names<ScheduleKind> {
  static constexpr const char* noun = "schedule";
  static constexpr Name<ScheduleKind> table[] = {{ScheduleKind::constant, "constant"},
                                                 {ScheduleKind::inverse_sqrt, "inverse-sqrt"},
                                                 {ScheduleKind::linear, "linear"},
                                                 {ScheduleKind::cosine, "cosine"},
                                                 {ScheduleKind::plateau, "plateau"}};
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::inverse_sqrt;
  double peak = 1e-3;             ///< the rate at the end of the warm-up
  std::uint32_t warmup = 1000;    ///< steps; 0: none
  std::uint32_t decay_steps = 0;  ///< the whole length, warm-up included (linear, cosine)
  // plateau, as PyTorch's ReduceLROnPlateau
  double factor = 0.5;
  std::uint32_t patience = 2;  ///< validations that may be no better; the next one reduces the rate
  double threshold = 1e-4;     ///< a loss is better if it is below (1 - threshold) times the best one
  std::uint32_t delay = 0;     ///< validations at the beginning that do not count
};

/// Whether the schedule falls to 0 at `decay_steps`, so that it needs the length of the training.
inline bool has_an_end(ScheduleKind kind) { return kind == ScheduleKind::linear || kind == ScheduleKind::cosine; }

/// The rate of step `step`, counted from 1. `reductions`: how often the plateau has reduced it so far.
double learning_rate(const Schedule& schedule, std::uint32_t step, std::uint32_t reductions = 0);

/// The smallest difference between two rates of a plateau: smaller reductions are left out.
inline constexpr double least_reduction = 1e-8;

}  // namespace gradus
