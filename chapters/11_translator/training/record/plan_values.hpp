#pragma once
/// \file
/// The values of a plan's fields, as a recipe has them.

#include <string>
#include <vector>

#include "10_training/run/plan_fields.hpp"

namespace gradus {

struct PlanValue {
  PlanField field;
  std::string json;
};

/// All fields, also those that a recipe leaves out.
std::vector<PlanValue> plan_values(const TrainingPlan& plan);

}  // namespace gradus
