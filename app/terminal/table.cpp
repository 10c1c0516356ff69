#include "app/terminal/table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/terminal/console.hpp"
#include "app/terminal/wrapped.hpp"

namespace gradus {

Table::Table() : width_(std::clamp<std::size_t>(terminal_columns(STDOUT_FILENO), 30, 120)) {}

void Table::row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i < widths.size()) line += std::string(std::max(widths[i], cells[i].size() + 2) - cells[i].size(), ' ');
  }
  std::size_t hanging = 0;
  for (const std::size_t w : widths) hanging += w;
  std::printf("%s\n", wrapped(line, width_, std::min(hanging, width_ / 2)).c_str());
}

}  // namespace gradus
