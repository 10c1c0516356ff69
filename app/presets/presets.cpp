#include "app/presets/presets.hpp"

namespace gradus {
namespace {

constexpr const char* measured = "measured on Multi30k";
constexpr const char* on_packages = "measured in docs/tutorials/fine-tuning.md";

Preset base() { return {"base", "the bundled models' recipe: the defaults of all options", {}, {}, {}}; }

Preset quick() {
  return {"quick",
          "a usable model after about five minutes on two cores",
          {{"epochs", "8", measured},
           {"average-last", "2", measured},
           {"warmup", "400", measured},
           {"d-model", "128", measured},
           {"ffn", "256", measured},
           {"layers", "2", measured},
           {"heads", "4", measured},
           {"vocab-size", "4000", measured},
           {"learning-rate", "0.005", measured},
           {"dropout", "0.1", measured}},
          {},
          {}};
}

Preset fine_tune() {
  return {"fine-tune",
          "with --init-from: one careful pass over new text",
          {{"epochs", "1", on_packages},
           {"learning-rate", "0.0002", on_packages},
           {"label-smoothing", "0", on_packages},
           {"dropout", "0", on_packages}},
          {},
          {}};
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {base(),      quick(),       fine_tune(),  say_hello2y(),
                                          from_zero(), hyunwoongko(), umar_jamil(), samlynnevans()};
  return all;
}

const Preset* find_preset(const std::string& name) {
  for (const Preset& p : presets()) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& p : presets()) names.emplace_back(p.name);
  return names;
}

}  // namespace gradus
