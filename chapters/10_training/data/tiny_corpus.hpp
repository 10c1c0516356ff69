#pragma once
/// \file
/// The six sentence pairs that the tiny model of the lessons was trained on, and the shape of that model.

#include <cstddef>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
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

/// D = 4, H = 2, one layer on each side, pre-norm, three tables, no dropout. (In the header: a browser has no vocabulary.)
inline ModelConfig tiny_config(std::size_t source_vocab, std::size_t target_vocab) {
  ModelConfig c;
  c.source_vocab = source_vocab, c.target_vocab = target_vocab;
  c.d_model = tiny::D, c.heads = tiny::H, c.ffn = tiny::F;
  c.encoder_layers = c.decoder_layers = 1;
  c.tying = Tying::none;
  c.max_length = 16;
  return c;
}
inline ModelConfig tiny_config(const TinyCorpus& corpus) {
  return tiny_config(static_cast<std::size_t>(corpus.source.size()),
                     static_cast<std::size_t>(corpus.target.size()));
}

}  // namespace gradus
