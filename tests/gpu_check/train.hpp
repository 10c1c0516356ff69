#pragma once
/// \file
/// A whole training on the device of kernels, from a file of ids to a file of translations.

#include <iosfwd>
#include <string>

#include "11_translator/id_file.hpp"

namespace gradus::test {

struct TrainOptions {
  std::uint32_t epochs = 45;
  std::size_t batch_tokens = 4096;
  double learning_rate = 4e-3, dropout = 0.3;
  std::uint64_t seed = 1;
};

/// Trains the base model on the part "train", prints a line an epoch (steps, seconds, loss), translates "test" by beam
/// search, and writes the ids of each translation as a line to `translations`.
void train_and_translate(const IdCorpus& corpus, const TrainOptions& options, std::ostream& log,
                         std::ostream& translations);

}  // namespace gradus::test
