#pragma once
/// \file
/// What a user may choose of a search.

#include <cstddef>
#include <functional>

namespace gradus {

/// SearchOptions and TranslateOptions have these members, so a new one reaches the search without another line.
struct SearchChoices {
  std::size_t beam_size = 5;    ///< K, beams of a sentence; 1 is greedy search
  std::size_t n_best = 1;       ///< translations of each sentence, at most `beam_size`
  double length_penalty = 1.0;  ///< alpha of `length_norm`; 0 ranks by the sum of log probabilities alone
  /// Otherwise a few sentences are shared out among the workers. BLAS may round a row by its place in the batch, so the last
  /// bits of log probabilities then depend on the number of workers. Full batches have one part.
  bool full_batches = false;
  /// Called between the steps of each searcher, on its thread. What it throws ends the search: so one can be given up.
  std::function<void()> between_steps = {};
};

}  // namespace gradus
