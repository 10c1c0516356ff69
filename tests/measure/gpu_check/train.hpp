#pragma once
/// \file
/// A whole training on the device of kernels, from a file of ids to a file of translations.

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "11_translator/data/id_file.hpp"
#include "11_translator/search/search.hpp"
#include "measure/gpu_check/parts.hpp"

namespace gradus::test {

struct TrainOptions {
  std::uint32_t epochs = 45;
  std::uint32_t average_last = 4;  ///< the final weights are the mean of those after this many last epochs
  std::size_t batch_tokens = 2048;
  double learning_rate = 4e-3, dropout = 0.3;
  std::uint64_t seed = 1;
  Products products = Cuda<float>::default_products;  ///< of the training; translations use exact ones
  bool is_tiny = false;                               ///< a model for a test of this program
  SearchOptions search;
  PartOptions parts;
};

/// The duration in seconds, and data about the weights.
struct TrainTimes {
  std::vector<double> epochs;
  double translating = 0;
  std::size_t sentences = 0;   ///< translated
  double last_loss = 0;        ///< mean over the last epoch's batches
  std::vector<double> sums;    ///< of all weights, after each epoch
  double translating_sum = 0;  ///< of the final weights

  double training() const;  ///< the sum of the epochs
};

/// Trains the base model on the part "train", prints a line an epoch (steps, seconds, loss), translates "test", and
/// writes the ids of each translation as a line to `translations`. After each epoch, and at the end, it calls `keep` with what is known.
void train_and_translate(const IdCorpus& corpus, const TrainOptions& options, std::ostream& log,
                         std::ostream& translations, const std::function<void(const TrainTimes&)>& keep);

}  // namespace gradus::test
