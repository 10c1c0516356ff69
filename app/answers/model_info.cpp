#include "app/answers/model_info.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "09_transformer/model.hpp"
#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/training_request.hpp"
#include "app/models/known_models.hpp"
#include "app/terminal/console.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/strict_json.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t longest_results = 100'000'000, longest_scores = 1'000'000;  // bytes

/// A damaged file beside the model is no fault of the model: it is left out, and `what` says why.
void tell_of_damage(const std::string& what) { console().warn(what + "; info leaves it out"); }

/// The results of the run in the folder; none if it has none or the file is damaged.
RunResults results_in(const std::string& folder) {
  const std::string path = folder + "/results.json";
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return {};
  try {
    return run_results(read_regular_file(path, longest_results), path);
  } catch (const Error& error) {
    tell_of_damage(error.what());
    return {};
  }
}

/// The content of a JSON file; null if it is damaged or nested so deeply that it cannot be printed.
Json scores_in(const std::string& path) {
  constexpr std::size_t deepest = 16;
  try {
    const std::string text = read_regular_file(path, longest_scores);
    try {
      check_json(text, deepest);
    } catch (const Error& error) {
      fail(path + ": " + error.what());
    }
    return Json::parse(text, nullptr, false);
  } catch (const Error& error) {
    tell_of_damage(error.what());
    return {};
  }
}

/// The run's data about its model, unless the folder holds another model by now.
void add_results(Json& info, const std::string& folder) {
  const RunResults results = results_in(folder);
  if (results.weights != info["weights"]) return;
  if (info["languages"].is_null() && results.title != TrainingRequest{}.title) info["languages"] = results.title;
  for (const Score& score : results.scores) info["scores"][score.name] = score.value;
}

/// The scores of a bundled model, or of a copy of one, are in a file.
void add_scores(Json& info, const std::string& folder) {
  const std::string path = folder + "/scores.json";
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return;
  const Json scores = scores_in(path);
  if (scores.is_object() && scores.value("sha256", Json()) == info["weights"]) info["scores"] = scores;
}

}  // namespace

Json model_info(const std::string& folder, const ModelFiles& model) {
  const ModelDescription d = description(model);
  const TextLanguages languages = known_languages(folder);
  Json info;
  info["model"] = folder;
  info["languages"] = languages.source.empty() ? Json() : Json(languages.source + " to " + languages.target);
  info["parameters"] = transformer_layout<Cpu<float>>(model.config).size();
  info["configuration"] = Json::parse(to_json(model.config));
  info["tokenizer"] = {{"kind", name_of(d.kind)},
                       {"lower_case", d.rules.lower_case},
                       {"punctuation", d.rules.punctuation},
                       {"normalisation", name_of(d.rules.normalisation)},
                       {"source", d.source.file},
                       {"target", d.target.file}};
  if (d.kind == TokenizerKind::word) info["tokenizer"]["words"] = name_of(d.rules.words);
  info["weights"] = weights_sha256(folder);
  info["unusual_below"] = model.unusual_below ? Json(*model.unusual_below) : Json();
  info["hesitant_below"] = model.limits.hesitant_below ? Json(*model.limits.hesitant_below) : Json();
  info["muted_warnings"] = model.limits.muted;
  info["scores"] = nullptr;
  add_results(info, folder);
  add_scores(info, folder);
  info["training"] = Json::parse(model.metadata);
  return info;
}

}  // namespace gradus
