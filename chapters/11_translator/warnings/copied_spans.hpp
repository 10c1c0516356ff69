#pragma once
/// \file
/// Parts of a line that are no language.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

struct Span {
  std::size_t begin, end;  ///< bytes of the line, the end excluded
};

/// Web addresses (with a scheme or www.), e-mail addresses and code between backticks, from left to right. `line` is UTF-8. A
/// mark of the sentence behind an address is no part of it. A letter of a script without spaces ends an address.
std::vector<Span> copied_spans(const std::string& line);

}  // namespace gradus
