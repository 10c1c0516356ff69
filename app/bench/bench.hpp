#pragma once
/// \file
/// The speed of a model: loading, translating in batches, translating one sentence at a time.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"
#include "app/bench/samples.hpp"

namespace gradus {

struct BenchRequest {
  std::string model;                   ///< folder
  std::vector<std::string> sentences;  ///< those of the batches
  std::size_t singles = 50;            ///< as many of them, spread evenly, are also translated one at a time
  std::size_t beam_size = 5, threads = 1;
  std::size_t rounds = 5;  ///< repetitions that count; one more before them warms up
  DeviceChoice device = DeviceChoice::automatic;
  SearchWeights weights = SearchWeights::exact;
};

/// Translation with one width of the search.
struct SearchFigures {
  std::size_t beam_size = 1;
  std::size_t batch_tokens = 0;   ///< tokens of all translations, their ends counted
  std::size_t single_tokens = 0;  ///< the same of those that are translated one at a time
  Samples batch;                  ///< all sentences, all threads
  Samples single;                 ///< the chosen sentences one at a time, one thread
};

struct BenchFigures {
  std::size_t rounds = 0;  ///< whole rounds; fewer than asked for if the user stops it
  std::size_t sentences = 0, singles = 0;
  SearchWeights weights = SearchWeights::exact;
  std::uint64_t peak_memory = 0;  ///< bytes, the most that the process had at once
  Samples loading;
  std::vector<SearchFigures> searches;  ///< greedy, then the beam
  Samples products;                     ///< a product of matrices on one thread, see product_operations
  static constexpr double product_operations = 2.0 * 512 * 128 * 8192;

  /// Processor time / clock time of the work that has one thread. It is below 1 if other programs use the processor.
  double processor_share() const;
};

/// Measures. In each round every kind of work has its turn, so that a change of the machine's speed affects all alike.
/// Stops between two measurements when `stops` returns true, and forgets the round that is not whole; `shows` gets the number of the round, from 0.
BenchFigures bench(const BenchRequest& request, const std::function<bool()>& stops,
                   const std::function<void(std::size_t round)>& shows);

}  // namespace gradus
