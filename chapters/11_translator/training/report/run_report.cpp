#include "11_translator/training/report/run_report.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "02_positional_encoding/sinusoids.hpp"
#include "10_training/run/checkpoint.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_positions = 64;
constexpr std::uint64_t longest_results = 64'000'000, longest_history = 1'000'000'000;  // bytes

/// The first rows of the model's table, (P, D); none if it adds no positions.
std::vector<float> position_rows(const ModelConfig& model) {
  if (model.positions == Positions::none) return {};
  Cpu<float> dev;
  const auto table = dev.kept.matrix(std::min(most_positions, model.max_length), model.d_model);
  sinusoids(dev, table);
  std::vector<float> rows;
  read(dev, rows, In<Cpu<float>, 1>(as_vector(table)));
  return rows;
}

/// The recipe of a run whose checkpoints were removed, from its model.
std::string recipe_of_model(const std::string& folder) {
  const Json metadata = Json::parse(stored_metadata(folder + "/model.json"), nullptr, false);
  if (!metadata.is_object() || !metadata.contains("recipe"))
    fail(folder + " has neither a checkpoint nor a model, so no recipe");
  return metadata["recipe"].dump();
}

std::optional<RunResults> results_in(const std::string& folder) {
  const std::string path = folder + "/results.json";
  if (!is_there(path)) return {};
  RunResults results = run_results(read_regular_file(path, longest_results), path);
  const bool are_of_model = is_there(folder + "/weights.safetensors") && weights_sha256(folder) == results.weights;
  return are_of_model ? std::optional(std::move(results)) : std::nullopt;
}

}  // namespace

StoredRun stored_run(const std::string& folder, const TrainingHistory& history, const std::string& recipe,
                     bool finished) {
  return {folder, history, recipe, finished, results_in(folder), stored_timing(folder + "/timing.json")};
}

StoredRun stored_run(const std::string& folder) {
  if (!is_folder(folder)) fail(folder + ": there is no such folder, so no run in it");
  const std::string history = folder + "/history.json";
  if (!is_there(history)) {
    const bool is_model = is_there(folder + "/model.json");
    fail(folder + (is_model ? " is a model and not the folder of a run" : " is not the folder of a run") +
         ": there is no history.json in it");
  }
  const RunFolder files(folder);
  const bool has_checkpoint = files.has_checkpoint();
  return stored_run(folder, training_history(read_regular_file(history, longest_history), history),
                    has_checkpoint ? files.recipe() : recipe_of_model(folder),
                    !has_checkpoint || files.state().finished);
}

bool has_results(const std::string& folder) {
  try {
    return results_in(folder).has_value();
  } catch (const Error&) {  // damaged results: they are measured again
    return false;
  }
}

std::string folder_name(const std::string& folder) {
  return (std::filesystem::absolute(folder) / "").lexically_normal().parent_path().filename().string();
}

std::string recipe_hash(const std::string& recipe) { return sha256(recipe).substr(0, 16); }

ReportData report_data(const StoredRun& run, DeviceChoice device) {
  const Json recipe = Json::parse(run.recipe);
  ReportData d;
  d.history = run.history;
  d.model = config_from_json(recipe.at("model").dump(), run.folder);
  d.positions = position_rows(d.model);
  d.timing = run.timing;
  if (run.results) {
    const RunResults& r = *run.results;
    d.title = r.title, d.facts = r.facts, d.scores = r.scores, d.score_name = r.score_name;
    d.best = r.best, d.worst = r.worst, d.lengths = r.lengths;
    const Translator translator = Translator::load(run.folder, device);
    for (const std::string& sentence : r.attention) d.attention.push_back(translator.attention(sentence));
  } else {
    d.title = folder_name(run.folder);
    d.note = run.finished ? "Scores, best and worst translations and attention are missing. Run the command of the "
                            "training again to measure them."
                          : "This run has not finished. Scores, best and worst translations and attention come at "
                            "its end.";
  }
  d.facts.emplace_back("seed", recipe.at("seed").dump());
  d.facts.emplace_back("recipe", recipe_hash(run.recipe));
  return d;
}

}  // namespace gradus
