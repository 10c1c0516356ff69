#pragma once
/// \file
/// The text of a training as lines, from the files of its request.

#include <cstddef>
#include <string>
#include <vector>

#include "11_translator/training/training_request.hpp"
#include "gradus/io/lines.hpp"

namespace gradus {

struct TrainingText {
  LinePairs train, valid;
  std::size_t mixed = 0;  ///< so many of the last training pairs are of the older text
};

/// The files of the training text: one of pairs with a tab between them, or one for each language; then those that are mixed in.
std::vector<std::string> training_files(const TrainingRequest& request);

/// Reads the text. Of the text that is mixed in, chance chooses as many pairs as make the wanted share, or all are taken if there are fewer; they come
/// last. A part that --valid-split takes from the training text is left out of it. If `with_train` is false the training
/// lines are not needed, and are read only to take that part. Throws Error, one line, if text is missing or broken; UsageError if
/// one file of pairs is given as both sides, or if the part leaves nothing to train on.
TrainingText training_text(const TrainingRequest& request, bool with_train = true);

}  // namespace gradus
