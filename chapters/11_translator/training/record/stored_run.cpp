#include "11_translator/training/record/stored_run.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "10_training/run/checkpoint.hpp"
#include "11_translator/storage/model_files.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t longest_results = 64'000'000, longest_history = 1'000'000'000;  // bytes

using Faults = std::vector<std::string>;

/// The history in the checkpoint; an empty one if there is no checkpoint.
TrainingHistory saved_history(const RunFolder& files) {
  if (!files.has_checkpoint()) return {};
  const RunFolder::Head head = files.head();
  return head.state.step == 0 ? TrainingHistory{} : training_history(head.metadata, head.file);
}

/// The history that the file for people has, or the checkpoint if there is no such file, or if it is damaged.
TrainingHistory history_in(const std::string& folder, const RunFolder& files, Faults& faults) {
  const std::string path = folder + "/history.json";
  const bool has_checkpoint = files.has_checkpoint();
  try {
    if (is_there(path)) return training_history(read_regular_file(path, longest_history), path);
  } catch (const Error& error) {
    faults.push_back(error.what() + std::string(has_checkpoint ? "; the checkpoint's history takes its place"
                                                               : "; so there are no losses and no samples"));
    return saved_history(files);
  }
  if (!has_checkpoint) {
    const bool is_model = is_there(folder + "/model.json");
    fail(folder + (is_model ? " is a model and not the folder of a run" : " is not the folder of a run") +
         ": there is no history.json in it");
  }
  if (files.state().step == 0) fail(folder + " holds a training that has saved no step yet, so no history");
  return saved_history(files);
}

/// The recipe of a run whose checkpoints were removed, from its model.
std::string recipe_of_model(const std::string& folder) {
  const auto metadata = nlohmann::ordered_json::parse(stored_metadata(folder + "/model.json"), nullptr, false);
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

/// No results if they are damaged; then the report has what the other files say.
std::optional<RunResults> results_in(const std::string& folder, Faults& faults) {
  try {
    return results_in(folder);
  } catch (const Error& error) {
    faults.emplace_back(error.what());
    return {};
  }
}

}  // namespace

StoredRun stored_run(const std::string& folder, const TrainingHistory& history, const std::string& recipe,
                     bool finished) {
  return {folder, history, recipe, finished, results_in(folder), stored_timing(folder + "/timing.json")};
}

StoredRun stored_run(const std::string& folder) {
  if (!is_folder(folder)) fail(folder + ": there is no such folder, so no run in it");
  const RunFolder files(folder);
  Faults faults;
  const TrainingHistory history = history_in(folder, files, faults);
  const bool has_checkpoint = files.has_checkpoint();
  const std::string recipe = has_checkpoint ? files.recipe() : recipe_of_model(folder);
  StoredRun run{folder,
                history,
                recipe,
                !has_checkpoint || files.state().finished,
                results_in(folder, faults),
                stored_timing(folder + "/timing.json")};
  run.faults = std::move(faults);
  return run;
}

bool has_results(const std::string& folder) {
  try {
    return results_in(folder).has_value();
  } catch (const Error&) {  // damaged results: they are measured again
    return false;
  }
}

}  // namespace gradus
