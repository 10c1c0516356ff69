#pragma once
/// \file
/// The six sentence pairs that the tiny model of the lessons was trained on, the shape of that model, and its
/// weights from 00_foundations/tiny.hpp.

#include <string>

#include "00_foundations/tiny.hpp"
#include "01_embedding/vocabulary.hpp"
#include "09_transformer/model.hpp"
#include "10_training/batches.hpp"

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

/// Gives `model`, made by tiny_config, the weights that the demos of all chapters print.
template <class Dev>
void load_tiny_weights(Dev& dev, Model<Dev>& model) {
  for (const Slice& s : model.layout.slices()) {
    const auto learnt = tiny::vector(s.name);
    const std::vector<typename Dev::Real> values(learnt.data, learnt.data + learnt.extent[0]);
    write(dev, slice(model.flat(), s.offset, s.size()), values);
  }
}

}  // namespace gradus
