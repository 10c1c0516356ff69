#pragma once
/// \file
/// Byte-pair encoding: a text is cut into characters, and neighbours are joined as the model has learnt.

#include <string_view>
#include <vector>

#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/text/pieces/prefix_tree.hpp"

namespace gradus {

/// A part of a text, and the id of its piece; the id of the unknown piece if the model has no other.
struct Cut {
  std::string_view text;
  int id;
};

/// Joins the two neighbours whose piece has the best score, the leftmost pair among equals, until no two neighbours make a
/// piece. A symbol of the user's is joined with nothing. A piece that is marked as unused helps to make others; if it is left
/// at the end, it is cut again.
class MergeLoop {
 public:
  /// `model` and `symbols`, the user-defined pieces, outlive this.
  MergeLoop(const PieceModel& model, const PrefixTree& symbols);

  /// The parts are views of `text`, and together the whole of it.
  std::vector<Cut> operator()(std::string_view text) const;

 private:
  const PieceModel& model_;
  const PrefixTree& symbols_;
};

}  // namespace gradus
