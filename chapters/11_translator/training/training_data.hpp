#pragma once
/// \file
/// From text files to the input of a training: lines, vocabularies, ids.

#include <memory>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/training_request.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

struct MappedIds;

struct TrainingData {
  LinePairs train_lines, valid_lines;  ///< with `mapped` there are no train_lines
  Tokenizers tokenizers;               ///< learnt from the training lines alone, or those of `init_from`
  IdPairs pairs, valid;                ///< without pairs that are empty on one side or too long; see training_pairs
  std::size_t dropped = 0, dropped_valid = 0;  ///< the number of those
  std::size_t longest = 0;                     ///< tokens, end mark included
  std::string initial_weights = {};            ///< SHA-256 of the file of the first weights; empty: random weights
  UnknownTokens unknown = {};                  ///< of the pairs that are left, counted by text_quality
  SeenPieces initial_pieces = {};              ///< what the source side of that model's training text had
  std::size_t mixed = 0;                       ///< so many of the last train_lines are of the text that is mixed in
  std::shared_ptr<const MappedIds> mapped = {};  ///< the file that holds the training pairs, if `pairs` does not

  /// The pairs to train on, wherever they are.
  PairsView training_pairs() const;
};

/// The most tokens of a side, end mark included.
std::size_t longest_tokens(const TrainingRequest& request);

/// Reads the files of the request. `initial` is the model in its `init_from`; null without one. With `mapped` the
/// training pairs and the vocabulary are those of that file, and the training text is not read. Throws Error, one
/// line, if text is missing or broken, if it cannot give the requested vocabulary, or if no pair is left to train
/// or validate on.
TrainingData training_data(const TrainingRequest& request, const ModelFiles* initial = nullptr,
                           std::shared_ptr<const MappedIds> mapped = nullptr);

/// The ids of each line.
std::vector<std::vector<int>> encoded(const Tokenizer& tokenizer, const std::vector<std::string>& lines,
                                      Workers& workers);

/// SHA-256 of the lines of both sides: what a recipe says of a text.
std::string checksum(const LinePairs& lines);

/// The same of the training text, wherever its ids are.
std::string training_checksum(const TrainingData& data);

/// How many validation pairs are also training pairs, letter by letter.
std::size_t shared_pairs(const TrainingData& data);

}  // namespace gradus
