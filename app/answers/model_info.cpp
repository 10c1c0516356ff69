#include "app/answers/model_info.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "09_transformer/model.hpp"
#include "11_translator/training/record/run_results.hpp"
#include "app/options/bundled.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t longest_file = 100'000'000;  // bytes

/// The results of the run in the folder; none if it has none or the file is damaged. A damaged file is no fault of
/// the model.
RunResults results_in(const std::string& folder) {
  const std::string path = folder + "/results.json";
  try {
    return std::filesystem::exists(path) ? run_results(read_regular_file(path, longest_file), path) : RunResults();
  } catch (const Error&) {
    return {};
  }
}

/// The run's data about its model, unless the folder holds another model by now.
void add_results(Json& info, const std::string& folder) {
  const RunResults results = results_in(folder);
  if (results.weights != info["weights"]) return;
  if (info["languages"].is_null()) info["languages"] = results.title;
  for (const Score& score : results.scores) info["scores"][score.name] = score.value;
}

/// The scores of a bundled model, or of a copy of one, are in a file.
void add_scores(Json& info, const std::string& folder) {
  const std::string path = folder + "/scores.json";
  if (!std::filesystem::exists(path)) return;
  const Json scores = Json::parse(read_regular_file(path, longest_file), nullptr, false);
  if (scores.is_object() && scores.value("sha256", Json()) == info["weights"]) info["scores"] = scores;
}

}  // namespace

Json model_info(const std::string& folder, const ModelFiles& model) {
  const ModelDescription d = description(model);
  const std::string languages = bundled_languages(folder);
  Json info;
  info["model"] = folder;
  info["languages"] = languages.empty() ? Json() : Json(languages);
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
