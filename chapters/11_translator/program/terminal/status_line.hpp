#pragma once
/// \file
/// A line that renews itself, cut to the width of a terminal.

#include <string>
#include <vector>

namespace gradus {

/// One field of the line, ASCII. Where the terminal is too narrow, the field with the largest `drop_first` goes first.
struct StatusField {
  std::string text;
  int drop_first = 0;
};

/// What fits: a bar of `bar` cells (0: no bar), a space, and the text. Both together have at most `columns` cells.
struct StatusLine {
  std::size_t bar = 0;
  std::string text;

  /// Cells of the whole line.
  std::size_t cells() const { return bar == 0 ? text.size() : bar + 1 + text.size(); }
};

/// The bar shrinks first, from 20 cells to 6; then fields go, one by one; then the bar. The last field stays unless it
/// alone is too wide: then the text is empty.
StatusLine fitted(std::vector<StatusField> fields, std::size_t columns);

}  // namespace gradus
