#include "11_translator/storage/run_model.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "10_training/run/checkpoint.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// The step of the validation with the lowest loss, from the history that a checkpoint has; `otherwise` if it has none.
std::uint32_t best_step(const std::string& history, std::uint32_t otherwise) {
  const Json json = Json::parse(history, nullptr, false);
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t step = otherwise;
  if (!json.is_object()) return step;
  for (const Json& v : json.value("validations", Json::array())) {
    const Json loss = v.value("loss", Json());
    if (!loss.is_number() || !(loss < best)) continue;
    best = loss, step = v.value("step", otherwise);
  }
  return step;
}

/// The training's command.
std::string command_of(const std::string& history, const std::string& folder) {
  const Json json = Json::parse(history, nullptr, false);
  const Json words = json.is_object() ? json.value("command", Json::array()) : Json::array();
  std::string command;
  for (const Json& word : words) {
    const std::string text = word.is_string() ? word.get<std::string>() : "";
    command += (command.empty() ? "" : " ") + shell_word(text == "DIR" ? folder : text);
  }
  return command.empty() ? "its command" : printable(command);
}

/// One side's vocabulary. The recipe of a run names no files; `is_joint`: both sides have the same one.
VocabularyFile vocabulary(const std::string& folder, const std::string& side, TokenizerKind kind,
                          const std::string& sha256, bool is_joint) {
  const std::string name = vocabulary_file_name(kind);
  const bool is_separate =
      !is_there(folder + "/" + name) && (!is_joint || is_there(folder + "/" + side + "." + name));
  return {is_separate ? side + "." + name : name, sha256};
}

ModelDescription description_of(const std::string& folder, const Json& recipe) {
  ModelDescription d;
  d.config = config_from_json(recipe.at("model").dump(), folder);
  d.kind = parse<TokenizerKind>(recipe.at("tokenizer"));
  d.rules = {recipe.at("lower case"), recipe.value("punctuation", true),
             parse<Normalisation>(recipe.value("normalisation", name_of(Normalisation::at_use)))};
  const std::string source = recipe.at("source vocabulary"), target = recipe.at("target vocabulary");
  d.source = vocabulary(folder, "source", d.kind, source, source == target);
  d.target = vocabulary(folder, "target", d.kind, target, source == target);
  return d;
}

StoredModel stored_model(const std::string& folder, const RunFolder::Head& head) {
  const std::string best = folder + "/best.safetensors";
  const TrainingState& s = head.state;
  const bool has_best = s.validations != 0 && std::isfinite(s.best) && is_there(best);
  const Json recipe = Json::parse(head.recipe);
  StoredModel model{description_of(folder, recipe), has_best ? best : head.file, !has_best};
  Json metadata{{"steps", has_best ? best_step(head.metadata, s.step) : s.step},
                {"weights", has_best ? "of the best validation so far" : "of the last checkpoint"}};
  if (has_best) metadata["validation loss"] = -s.best;
  metadata["recipe"] = recipe;
  model.description.metadata = metadata.dump();
  return model;
}

}  // namespace

std::optional<StoredModel> model_of_run(const std::string& folder) {
  const RunFolder run(folder);
  if (!run.has_checkpoint()) return {};
  const RunFolder::Head head = run.head();
  if (head.state.step == 0)
    fail(folder + " holds a training that has saved no step yet, so no model; this continues it: " +
         command_of(head.metadata, folder));
  StoredModel model = [&] {
    try {
      return stored_model(folder, head);
    } catch (const nlohmann::json::exception&) {
      fail(head.file + ": its recipe cannot be read");
    }
  }();
  const std::string vocabulary = folder + "/" + model.description.source.file;
  if (is_there(vocabulary)) return model;
  fail(folder + " holds a training that has not ended, and no " + model.description.source.file +
       "; this writes its model after the step that it has reached: " + command_of(head.metadata, folder) +
       " --max-steps 1");
}

std::string repair_hint(const std::string& folder) {
  try {
    const RunFolder run(folder);
    if (!run.has_checkpoint()) return "";
    const RunFolder::Head head = run.head();
    if (head.state.step == 0) return "";
    return "; this writes the model's files again: " + command_of(head.metadata, folder) + " --max-steps 1";
  } catch (const Error&) {  // the run is damaged too
    return "";
  }
}

}  // namespace gradus
