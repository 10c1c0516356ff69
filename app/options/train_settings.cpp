#include "app/options/train_settings.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

namespace gradus {

Settings settings_of(const ModelDescription& d) {
  const auto word = [](bool value) { return std::string(value ? "true" : "false"); };
  const ModelConfig& m = d.config;
  return {{"d-model", std::to_string(m.d_model)},
          {"heads", std::to_string(m.heads)},
          {"encoder-layers", std::to_string(m.encoder_layers)},
          {"decoder-layers", std::to_string(m.decoder_layers)},
          {"ffn", std::to_string(m.ffn)},
          {"max-length", std::to_string(m.max_length)},
          {"norm", name_of(m.norm)},
          {"activation", name_of(m.activation)},
          {"tied", word(m.tying != Tying::none)},
          {"attention-bias", word(m.attention_bias)},
          {"attention-output-bias", word(m.attention_output_bias)},
          {"output-bias", word(m.output_bias)},
          {"scale-embedding", word(m.scale_embedding)},
          {"positions", name_of(m.positions)},
          {"decoder", name_of(m.decoder_unit)},
          {"tokenizer", name_of(d.kind)},
          {"vocab", name_of(d.source.file == d.target.file ? VocabularyChoice::joint : VocabularyChoice::separate)},
          {"lowercase", word(d.rules.lower_case)},
          {"punctuation", word(d.rules.punctuation)},
          {"normalise", name_of(d.rules.normalisation)}};
}

Settings settings_of(const Preset& preset) {
  Settings settings;
  for (const PresetValue& v : preset.values) settings.emplace_back(v.option, v.value);
  return settings;
}

Settings without_overruled(Settings settings, const CLI::App& c) {
  const std::multimap<std::string, std::string> overruled = {{"batch-tokens", "batch-sentences"},
                                                             {"batch-sentences", "batch-tokens"},
                                                             {"encoder-layers", "layers"},
                                                             {"decoder-layers", "layers"},
                                                             {"average-last", "keep-best"},
                                                             {"keep-best", "average-last"},
                                                             {"data", "train-source"},
                                                             {"data", "train"},
                                                             {"train-source", "data"},
                                                             {"train-source", "train"},
                                                             {"train-target", "data"},
                                                             {"train-target", "train"},
                                                             {"train", "data"},
                                                             {"train", "train-source"},
                                                             {"valid-source", "data"},
                                                             {"valid-source", "valid"},
                                                             {"valid-source", "valid-split"},
                                                             {"valid-target", "data"},
                                                             {"valid-target", "valid"},
                                                             {"valid-target", "valid-split"},
                                                             {"valid", "data"},
                                                             {"valid", "valid-source"},
                                                             {"valid", "valid-split"},
                                                             {"valid-split", "valid"},
                                                             {"valid-split", "valid-source"}};
  const auto is_overruled = [&](const auto& setting) {
    const auto [first, last] = overruled.equal_range(setting.first);
    return std::any_of(first, last, [&](const auto& pair) { return c.count("--" + pair.second) != 0; });
  };
  settings.erase(std::remove_if(settings.begin(), settings.end(), is_overruled), settings.end());
  return settings;
}

}  // namespace gradus
