#include "11_translator/training/final_weights.hpp"

#include <cstdio>

namespace gradus {
namespace {

std::string text_of(double loss) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4f", loss);
  return text;
}

}  // namespace

std::vector<std::string> weights_for_the_end(const TrainingState& state, const TrainingRequest& request) {
  const std::uint32_t recent = std::min(state.validations, request.plan.average_last);
  const bool has_best = std::isfinite(state.best);
  std::vector<std::string> names;
  if (!has_best || (!request.keep_best && recent >= 2)) {
    for (std::uint32_t i = 0; i < recent; ++i) names.push_back("recent-" + std::to_string(i));
  }
  if (has_best) names.emplace_back("best");
  return names;
}

FinalWeights better_weights(std::uint32_t count, double mean_loss, double best_loss) {
  const std::string mean = "mean of the last " + std::to_string(count) + " validations";
  if (!std::isfinite(best_loss)) return {mean, mean_loss, true};
  if (mean_loss < best_loss) {
    return {mean + ": loss " + text_of(mean_loss) + ", the best single one " + text_of(best_loss), mean_loss, true};
  }
  return {"of the best validation: loss " + text_of(best_loss) + ", the " + mean + " " + text_of(mean_loss),
          best_loss, false};
}

}  // namespace gradus
