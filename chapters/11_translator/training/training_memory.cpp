#include "11_translator/training/training_memory.hpp"

#include "11_translator/translator/translator_engine.hpp"
#include "gradus/util/process.hpp"

namespace gradus {

double training_memory(const ModelConfig& model, std::size_t gradients) {
  constexpr double weight = 1, moments = 2, copies = 2;
  const double values = weight + moments + static_cast<double>(gradients) + copies * (weight + moments);
  return sizeof(float) * values * static_cast<double>(parameter_count(model));
}

void require_training_memory(const TrainingRequest& r, std::size_t gradients) {
  if (device_taken(r.device) != DeviceChoice::cpu) return;
  require_memory(training_memory(r.model, gradients),
                 "a training of " + std::to_string(parameter_count(r.model)) + " parameters, with two moments, " +
                     std::to_string(gradients) + " gradients and the copies for a checkpoint,",
                 "; a smaller --d-model, --ffn or --layers needs less");
}

}  // namespace gradus
