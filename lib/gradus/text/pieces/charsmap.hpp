#pragma once
/// \file
/// SentencePiece's table of rules to rewrite characters, "precompiled_charsmap" in its files.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Rules that replace a string of bytes by another. The table has three parts: the size of the second one, four bytes; units of
/// four bytes, all of them little-endian; strings, each with a NUL behind it.
///
/// The units are a double array (Aoe 1989), a tree in one list. The child of the unit at place p for byte b is at
/// (p ^ offset) ^ b, if the unit there has the label b. A unit whose string has a rule says so; its child for no byte, at
/// p ^ offset, is a leaf and holds the place of the new string.
class Charsmap {
 public:
  Charsmap() = default;  ///< without rules

  /// Throws Error, with `where` before it, if a part is missing or a rule leads to a place that is not there.
  Charsmap(std::string_view bytes, const std::string& where);

  struct Rule {
    std::size_t length = 0;  ///< bytes that it replaces; 0: no rule
    std::string_view by;     ///< what replaces them; a part of the table
  };
  Rule longest(std::string_view text) const;  ///< the rule for the longest string at the start of `text`

 private:
  std::vector<std::uint32_t> units_;
  std::string strings_;
};

}  // namespace gradus
