#pragma once
/// \file
/// The unigram model: of all ways to cut a text, the one with the largest sum of scores.

#include <string_view>
#include <vector>

#include "gradus/text/pieces/merge_loop.hpp"
#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/text/pieces/prefix_tree.hpp"

namespace gradus {

/// Finds the best way by Viterbi's method: best(end) = max over pieces of best(start of the piece) + its score, from left to
/// right. A character without a piece of its own has the smallest score minus 10. A symbol of the user's has more than any
/// other way through its bytes, if scores are below 0, as logarithms of probabilities are.
class BestPath {
 public:
  explicit BestPath(const PieceModel& model);  ///< `model` outlives this

  /// The parts are views of `text`, and together the whole of it. Unknown parts are single characters.
  std::vector<Cut> operator()(std::string_view text) const;

 private:
  double score(int id, std::size_t length) const;

  const PieceModel& model_;
  PrefixTree pieces_;
  float smallest_, largest_;  ///< scores of normal pieces
};

}  // namespace gradus
