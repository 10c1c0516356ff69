#pragma once
/// \file
/// Which sentences are searched together, and the memory that they need.

#include <atomic>
#include <optional>
#include <vector>

#include "11_translator/search/search_host.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// The indices of the sentences of each batch, for this number of workers, at least one. Sentences are sorted by length,
/// longest first, because a batch takes as many steps as its longest translation.
std::vector<std::vector<std::size_t>> search_batches(const std::vector<Sentence>& sources,
                                                     const SearchOptions& options, std::size_t workers);

/// The memory of a batch. For several batches, each number is the largest of all.
struct BatchRoom {
  std::size_t sentences = 0, source_rows = 0, longest_source = 0;
  std::size_t past_rows = 0, longest_translation = 0;  ///< a span for each beam, with rows_of_past
};

/// As many places, each with room for one batch.
struct BatchPlaces {
  BatchRoom room;
  std::size_t count = 1;
};

struct SearchBatch {
  std::size_t number;
  std::vector<Sentence> sources;
};

struct BatchResults {
  std::size_t number;
  std::vector<NBest> results;  ///< of each sentence
};

/// The batches of one rank: rank r of R takes batches r, r + R, r + 2 R, ... Its searchers take one after the other; several
/// threads may do so at the same time.
class BatchQueue {
 public:
  /// `sources` and `batches`, as from search_batches, must live as long as the queue.
  BatchQueue(const std::vector<Sentence>& sources, const std::vector<std::vector<std::size_t>>& batches,
             Ranks& ranks);

  std::size_t size() const;  ///< the number of batches of this rank

  /// Places for the largest batch: as many as each of `searchers` needs if all take about as many batches.
  BatchPlaces places(std::size_t searchers, const SearchOptions& options, const ModelConfig& config) const;

  std::optional<SearchBatch> take();  ///< the next one, or nothing
  void keep(BatchResults results);

  /// What was kept, for each batch; empty for those of other ranks.
  std::vector<std::vector<NBest>>& results() { return results_; }

 private:
  const std::vector<Sentence>& sources_;
  const std::vector<std::vector<std::size_t>>& batches_;
  std::size_t rank_, ranks_;
  std::atomic<std::size_t> next_;
  std::vector<std::vector<NBest>> results_;
};

}  // namespace gradus
