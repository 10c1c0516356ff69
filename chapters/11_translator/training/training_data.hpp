#pragma once
/// \file
/// From text files to what a training reads: lines, vocabularies, ids.

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_request.hpp"
#include "gradus/io/lines.hpp"

namespace gradus {

struct TrainingData {
  LinePairs train_lines, valid_lines;
  Tokenizers tokenizers;                       ///< learnt from the training lines alone, or those of `init_from`
  IdPairs pairs, valid;                        ///< without those that are empty on one side or too long
  std::size_t dropped = 0, dropped_valid = 0;  ///< how many those were
  std::size_t longest = 0;                     ///< tokens, end mark counted
  std::string initial_weights = {};            ///< SHA-256 of the file of the first weights; empty: drawn at random
};

/// Reads the files of the request. `initial`: the model in its `init_from`; null without one. Throws Error, one line, where
/// text is missing or broken, where it does not give the vocabulary that was asked for, or where nothing is left to train
/// or validate on.
TrainingData training_data(const TrainingRequest& request, const ModelFiles* initial = nullptr);

/// How many validation pairs stand among the training pairs, letter by letter.
std::size_t shared_pairs(const TrainingData& data);

}  // namespace gradus
