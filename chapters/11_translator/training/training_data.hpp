#pragma once
/// \file
/// From text files to what a training reads: lines, vocabularies, ids.

#include "11_translator/tokenizer.hpp"
#include "11_translator/training/training_request.hpp"
#include "gradus/io/lines.hpp"

namespace gradus {

struct TrainingData {
  LinePairs train_lines, valid_lines;
  Tokenizers tokenizers;                       ///< learnt from the training lines alone
  IdPairs pairs, valid;                        ///< without those that are empty on one side or too long
  std::size_t dropped = 0, dropped_valid = 0;  ///< how many those were
  std::size_t longest = 0;                     ///< tokens, end mark counted
};

/// Reads the files of the request. Throws Error, one line, where text is missing or broken, where it does not give
/// the vocabulary that was asked for, or where nothing is left to train or validate on.
TrainingData training_data(const TrainingRequest& request);

}  // namespace gradus
