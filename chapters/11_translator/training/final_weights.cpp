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
