#pragma once
/// \file
/// A corpus as ids, in one text file: what a machine needs that has a GPU and no tokenizer.
///
///     gradus ids 1
///     vocabulary 6000 6000
///     [train]
///     5 17 9<TAB>4 8           a pair: source ids, target ids, without end marks
///     [val] ...

#include <map>
#include <string>

#include "10_training/batches.hpp"

namespace gradus {

struct IdCorpus {
  std::size_t source_vocab = 0, target_vocab = 0;
  std::map<std::string, IdPairs> parts;  ///< by name: train, val, test
};

std::string to_text(const IdCorpus& corpus);

/// Throws Error, one line that names `origin` and the line, for what is no such file or holds an id beyond its
/// vocabulary.
IdCorpus id_corpus(const std::string& text, const std::string& origin);

}  // namespace gradus
