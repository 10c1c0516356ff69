#pragma once
/// \file
/// The model that comes with the program.

#include <string>

namespace gradus {

/// Its folder: beside the installed program, or else in this tree.
std::string default_model();

/// Captions that it knows how to translate, a line each.
std::string caption_examples();

/// What to say before a conversation with the model in `folder`: what it reads and, if it is the bundled one, examples.
std::string invitation(const std::string& folder);

}  // namespace gradus
