#pragma once
/// \file
/// The models that come with the program.

#include <string>
#include <vector>

namespace gradus {

/// The folder of the model from English to German.
std::string default_model();

/// Turns the value of --model into a folder. It is a folder, or a bundled model's name, en-de or de-en; if both
/// exist, the folder counts.
std::string model_folder(const std::string& given);

/// "en to de" for the folder of a bundled model; else empty.
std::string bundled_languages(const std::string& folder);

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
};

/// The model in `folder`.
KnownModel known_model(const std::string& folder);

}  // namespace gradus
