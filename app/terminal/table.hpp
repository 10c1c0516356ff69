#pragma once
/// \file
/// Tables on the standard output.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// Prints cells side by side: each but the last is as wide as `widths` says, and the last is wrapped.
class Table {
 public:
  Table();
  void row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

 private:
  std::size_t width_;  ///< of the terminal
};

}  // namespace gradus
