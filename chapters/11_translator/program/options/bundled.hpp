#pragma once
/// \file
/// The models that come with the program.

#include <string>
#include <vector>

namespace gradus {

/// The folder of the one that reads English and writes German.
std::string default_model();

/// What --model takes: a folder, or a bundled model by its languages, en-de or de-en. A folder of that name wins.
std::string model_folder(const std::string& given);

/// "en to de", if the folder is that of a bundled model; else empty.
std::string bundled_languages(const std::string& folder);

/// English captions that the default model knows how to translate, a line each.
std::string caption_examples();

/// What to say before a conversation with the model in `folder`: what it reads and, if it is a bundled one, examples.
std::string invitation(const std::string& folder);

/// A model by the names that people give it.
struct KnownModel {
  std::string name;   ///< "en-de"; of a model of one's own the last part of its folder's path
  std::string title;  ///< "English → German"; of a model of one's own its name
  std::vector<std::string> examples =
      {};  ///< sentences that it knows how to translate; none of a model of one's own
};

/// The one in `folder`.
KnownModel known_model(const std::string& folder);

}  // namespace gradus
