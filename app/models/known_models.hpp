#pragma once
/// \file
/// The models that have a name: those that come with the program, and those that `gradus models fetch` gets.

#include <string>
#include <vector>

#include "11_translator/warnings/text_languages.hpp"
#include "app/models/model_source.hpp"

namespace gradus {

/// The folders of the models that come with the program, and the first of them, from English to German.
std::vector<std::string> bundled_models();
std::string default_model();

/// Turns the value of --model into a folder. It is a folder, or the name of a known model. A folder of that name
/// counts if it is not empty; a line says so if the known model is there too. Throws UsageError for a known model that is not fetched yet.
std::string model_folder(const std::string& given);

/// The names of all known models.
std::vector<std::string> known_names();

/// The languages of the known model in `folder`; both empty for another one.
TextLanguages known_languages(const std::string& folder);

/// English captions that the default model can translate, one on each line.
std::string caption_examples();

/// The text before a conversation with the model in `folder`: its input language and, for a bundled model,
/// examples.
std::string invitation(const std::string& folder);

/// A model with the names that people use for it.
struct KnownModel {
  std::string name;                        ///< "en-de"; for the user's own model the last part of its folder's path
  std::string title;                       ///< "English → German"; for the user's own model its name
  std::vector<std::string> examples = {};  ///< sentences that it can translate; none for the user's own model
  const ModelSource* source = nullptr;     ///< of a model that is fetched
};

/// The model in `folder`.
KnownModel known_model(const std::string& folder);

/// All known models.
std::vector<KnownModel> known_models();

/// What the program keeps of fetched models: XDG_CACHE_HOME/gradus, or ~/.cache/gradus. Empty if neither
/// XDG_CACHE_HOME nor HOME is the path of a folder.
std::string model_cache();

/// Where a fetched model lies in such a folder, and whether there is one. Empty and false if `cache` is empty.
std::string fetched_folder(const std::string& cache, const std::string& name);
bool is_fetched(const std::string& cache, const std::string& name);

}  // namespace gradus
