#pragma once
/// \file
/// The six sentence pairs that the tiny model of the lessons was trained on, and the shape of that model.

#include <string>

#include "01_embedding/vocabulary.hpp"
#include "09_transformer/config.hpp"
#include "10_training/data/batches.hpp"

namespace gradus {

struct TinyCorpus {
  std::vector<std::string> english, german;
  Vocabulary source, target;
  IdPairs pairs;
};

/// Reads pairs from a file with a tab between the two sides of each line. Throws Error, with the line, if the tab
/// is missing.
TinyCorpus load_tiny_corpus(const std::string& path);

/// D = 4, H = 2, one layer on each side, pre-norm, three tables, no dropout.
ModelConfig tiny_config(const TinyCorpus& corpus);

}  // namespace gradus
