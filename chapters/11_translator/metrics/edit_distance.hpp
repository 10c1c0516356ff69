#pragma once
/// \file
/// The edit distance of two sentences as TER counts it: sacreBLEU's version of Tercom (Snover and others 2006).

#include <cstddef>
#include <vector>

namespace gradus {

using WordIds = std::vector<int>;  ///< equal words have equal numbers

/// One step of the way from the translation to the reference.
enum class Edit : char { keep, replace, insert, remove };

/// The distance between a reference and translations of one length: the least number of words to replace, insert or remove.
/// Only cells near the diagonal of the table count, 25 on each side, as in Tercom.
class EditDistance {
 public:
  /// Error if the reference is empty.
  explicit EditDistance(WordIds reference);

  /// The distance of `hypothesis`, which becomes the one that distance_of_changed() compares with.
  long distance(const WordIds& hypothesis);

  /// The edits of that distance, in order. Of equally few, sacreBLEU's.
  std::vector<Edit> edits() const;

  /// The distance of a translation of the same length, of which the first `same` words are those of the last distance().
  long distance_of_changed(const WordIds& hypothesis, std::size_t same) const;

 private:
  struct Cell {
    long cost;
    Edit edit;
  };
  /// The cells of a row that count: those from column `first` on.
  struct Row {
    std::size_t first;
    std::vector<Cell> cells;

    long cost(std::size_t j) const;
  };

  Row first_row() const;
  Row next_row(const Row& above, const WordIds& hypothesis, std::size_t i) const;

  WordIds reference_;
  std::vector<Row> rows_;  // row i: of the first i words of the last hypothesis
};

}  // namespace gradus
