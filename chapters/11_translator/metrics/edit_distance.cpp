#include "11_translator/metrics/edit_distance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr double beam_width = 25;
constexpr long unreachable = 1'000'000'000;

}  // namespace

EditDistance::EditDistance(WordIds reference) : reference_(std::move(reference)) {
  require(!reference_.empty(), "an edit distance needs a reference");
}

long EditDistance::Row::cost(std::size_t j) const {
  return j < first || j >= first + cells.size() ? unreachable : cells[j - first].cost;
}

/// Of an empty translation: each word of the reference must be inserted.
EditDistance::Row EditDistance::first_row() const {
  Row row{0, {}};
  for (std::size_t j = 0; j <= reference_.size(); ++j) row.cells.push_back({static_cast<long>(j), Edit::insert});
  return row;
}

/// Row i of the table, i > 0, from the row above it. Of equal costs the first of keep or replace, remove, insert.
EditDistance::Row EditDistance::next_row(const Row& above, const WordIds& hypothesis, std::size_t i) const {
  const std::size_t columns = reference_.size() + 1;
  const double ratio = static_cast<double>(reference_.size()) / static_cast<double>(hypothesis.size());
  const auto width =
      static_cast<std::size_t>(beam_width < ratio / 2 ? std::ceil(ratio / 2 + beam_width) : beam_width);
  const auto diagonal = static_cast<std::size_t>(std::floor(static_cast<double>(i) * ratio));
  const std::size_t end = i == hypothesis.size() ? columns : std::min(columns, diagonal + width);
  Row row{diagonal > width ? diagonal - width : 0, {}};
  for (std::size_t j = row.first; j < end; ++j) {
    Cell best{above.cost(j) + 1, Edit::remove};
    if (j > 0) {
      const bool same = hypothesis[i - 1] == reference_[j - 1];
      const Cell along{above.cost(j - 1) + (same ? 0 : 1), same ? Edit::keep : Edit::replace};
      if (along.cost <= best.cost) best = along;
      const long inserted = row.cost(j - 1) + 1;
      if (inserted < best.cost) best = {inserted, Edit::insert};
    }
    row.cells.push_back(best);
  }
  return row;
}

long EditDistance::distance(const WordIds& hypothesis) {
  rows_.assign(1, first_row());
  for (std::size_t i = 1; i <= hypothesis.size(); ++i) rows_.push_back(next_row(rows_.back(), hypothesis, i));
  return rows_.back().cost(reference_.size());
}

std::vector<Edit> EditDistance::edits() const {
  std::vector<Edit> edits;
  std::size_t i = rows_.size() - 1, j = reference_.size();
  while (i > 0 || j > 0) {
    require(rows_[i].cost(j) < unreachable, "a path of edits leaves the table");
    edits.push_back(rows_[i].cells[j - rows_[i].first].edit);
    if (edits.back() != Edit::insert) --i;
    if (edits.back() != Edit::remove) --j;
  }
  std::reverse(edits.begin(), edits.end());
  return edits;
}

long EditDistance::distance_of_changed(const WordIds& hypothesis, std::size_t same) const {
  require(hypothesis.size() + 1 == rows_.size(), "a shift keeps the number of words");
  Row row = rows_[same];
  for (std::size_t i = same + 1; i <= hypothesis.size(); ++i) row = next_row(row, hypothesis, i);
  return row.cost(reference_.size());
}

}  // namespace gradus
