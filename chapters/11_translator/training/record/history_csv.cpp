#include "11_translator/training/record/history_csv.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace gradus {
namespace {

/// The shortest text that gives the same bits again.
std::string exact(double value) { return std::isfinite(value) ? nlohmann::json(value).dump() : "nan"; }

std::string columns_of(const StepRecord* step) {
  if (step == nullptr) return ",,";
  return exact(step->loss) + "," + exact(step->learning_rate) + "," + exact(step->gradient_norm);
}

std::string columns_of(const ValidationRecord* validation) {
  if (validation == nullptr) return ",";
  return exact(validation->loss) + "," + exact(validation->bleu);
}

}  // namespace

std::string to_csv(const TrainingHistory& history) {
  std::string csv = "step,epoch,loss,learning_rate,gradient_norm,validation_loss,bleu\n";
  auto step = history.steps.begin();
  auto validation = history.validations.begin();
  while (step != history.steps.end() || validation != history.validations.end()) {
    const bool has_step =
        validation == history.validations.end() || (step != history.steps.end() && step->step <= validation->step);
    const bool has_validation =
        step == history.steps.end() || (validation != history.validations.end() && validation->step <= step->step);
    const std::uint32_t number = has_step ? step->step : validation->step;
    const std::uint32_t epoch = has_step ? step->epoch : validation->epoch;
    csv += std::to_string(number) + "," + std::to_string(epoch) + "," + columns_of(has_step ? &*step : nullptr) +
           "," + columns_of(has_validation ? &*validation : nullptr) + "\n";
    step += has_step ? 1 : 0;
    validation += has_validation ? 1 : 0;
  }
  return csv;
}

}  // namespace gradus
