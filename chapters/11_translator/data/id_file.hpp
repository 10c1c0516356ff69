#pragma once
/// \file
/// A corpus as ids, in one text file: for a machine with a GPU and without a tokenizer.
///
///     gradus ids 1
///     vocabulary 6000 6000
///     [train]
///     5 17 9<TAB>4 8           a pair: source ids, target ids, without end marks
///     [val] ...

#include <map>
#include <string>

#include "10_training/data/batches.hpp"

namespace gradus {

struct IdCorpus {
  std::size_t source_vocab = 0, target_vocab = 0;
  std::map<std::string, IdPairs> parts;  ///< by name: train, val, test
};

std::string to_text(const IdCorpus& corpus);

/// Throws Error, one line with `origin` and the line's number, if the text is no such file or has an id outside its
/// vocabulary.
IdCorpus id_corpus(const std::string& text, const std::string& origin);

}  // namespace gradus
