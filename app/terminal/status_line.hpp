#pragma once
/// \file
/// The status line: one line that is overwritten, cut to the width of a terminal.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// One field of the line, ASCII. If the terminal is too narrow, the field with the largest `drop_first` is removed
/// first.
struct StatusField {
  std::string text;
  int drop_first = 0;
};

/// The part that fits: a bar of `bar` cells (0: no bar), a space, and the text. Together they have at most `columns`
/// cells.
struct StatusLine {
  std::size_t bar = 0;
  std::string text;
};

/// First the bar shrinks, from 20 cells to 6; then fields are removed, one by one; then the bar. The last field is
/// kept unless it alone is too wide: then the text is empty.
StatusLine fitted(std::vector<StatusField> fields, std::size_t columns);

}  // namespace gradus
