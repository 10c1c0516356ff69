#include "11_translator/training/training_run.hpp"

#include <algorithm>
#include <filesystem>

#include "11_translator/device_choice.hpp"
#include "11_translator/training/run_files.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "gradus/io/folder_lock.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

void say(const TrainingListener& listener, const std::string& line) {
  if (listener.say) listener.say(line);
}

/// What can be seen before any text is read.
void check_choices(const TrainingRequest& r) {
  ModelConfig model = r.model;
  if (!r.joint_vocabulary && model.tying == Tying::all)
    throw UsageError("with two vocabularies the source table cannot be tied to the target's");
  model.source_vocab = model.target_vocab = static_cast<std::size_t>(std::max(4, r.tokenizer.vocab_size));
  model.check();
  if (r.plan.products != Products::exact && device_name(r.device) == std::string("cpu"))
    throw UsageError(std::string("--products ") + products_name(r.plan.products) +
                     " is for a GPU; a processor's products are always exact");
  std::error_code none;  // what cannot be looked at is found out by writing there
  const auto there = std::filesystem::status(r.output, none);
  if (std::filesystem::exists(there) && !std::filesystem::is_directory(there))
    fail(r.output + " is no folder; --output names one");
}

TrainingData read_data(const TrainingRequest& r, const TrainingListener& listener) {
  const bool words = r.tokenizer.kind == TokenizerKind::word;
  say(listener, std::string("reading the text, learning ") + (words ? "its words" : "subwords"));
  TrainingData data = training_data(r);
  const std::size_t source = data.tokenizers.source.size(), target = data.tokenizers.target.size();
  say(listener, std::to_string(data.pairs.size()) + " pairs to train on, " + std::to_string(data.valid.size()) +
                    " to validate on; " + std::to_string(source) +
                    (r.joint_vocabulary ? "" : " and " + std::to_string(target)) +
                    (words ? " words" : " subwords"));
  if (data.dropped + data.dropped_valid != 0) {
    say(listener, "left out " + std::to_string(data.dropped) + " training and " +
                      std::to_string(data.dropped_valid) + " validation pairs: empty on one side or longer than " +
                      std::to_string(data.longest) + " tokens");
  }
  return data;
}

/// The folder, if it is free, or holds this very run, or one that may go.
RunFolder claim(const TrainingRequest& r, const std::string& recipe) {
  const auto present = run_files(r.output);
  RunFolder folder(r.output);
  if (!folder.has_checkpoint()) {
    if (!present.empty() && present != std::vector<std::string>{"checkpoint-next.safetensors"})
      throw UsageError(r.output + " holds a " + present.front() + " but no run; give another --output");
    return folder;
  }
  if (r.overwrite) {
    remove_run(r.output);
  } else if (const std::string other = folder.recipe(); other != recipe) {
    throw UsageError(r.output + " holds a run with other choices (" + differences(recipe, other) +
                     "); give another --output, or --overwrite to start anew there");
  }
  return folder;
}

/// M, which decides the bits. A run that is there keeps its own, whatever it goes on with; a new one has as many as its
/// device gains from.
std::size_t micro_batches(const TrainingRequest& r, const TrainingListener& listener) {
  const bool on_gpu = device_name(r.device) == std::string("cuda");
  const std::size_t usual = on_gpu ? 1 : r.plan.micro_batches;
  if (r.overwrite || run_files(r.output).empty()) return usual;
  const RunFolder folder(r.output);
  if (!folder.has_checkpoint()) return usual;
  const std::size_t kept = micro_batches_of(folder.recipe());
  if (kept != usual) {
    say(listener, "this run began on another device: it keeps its " + std::to_string(kept) +
                      " micro-batches, and from here on its bits are this device's");
  }
  return kept;
}

}  // namespace

TrainingEnd train(const TrainingRequest& given, const TrainingListener& listener) {
  TrainingRequest r = given;
  check_choices(r);
  r.plan.micro_batches = micro_batches(r, listener);
  const TrainingData data = read_data(r, listener);
  r.model.source_vocab = data.tokenizers.source.size();
  r.model.target_vocab = data.tokenizers.target.size();
  const std::string recipe = recipe_of(r, data);
  const FolderLock lock(r.output);
  const RunFolder folder = claim(r, recipe);
  return train_on(r.device, r, data, listener, folder, recipe);
}

}  // namespace gradus
