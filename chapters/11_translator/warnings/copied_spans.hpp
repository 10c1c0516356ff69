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

/// Web addresses (with a scheme or www., or of a host such as a.org), e-mail addresses, paths ("/etc/passwd", "~/a"), names of files
/// with a frequent ending ("a.pdf"), and code between backticks, from left to right. `line` is UTF-8. A mark of the sentence behind
/// an address is no part of it. A letter of a script without spaces ends an address, except behind one of its signs ("http://例え.jp/").
std::vector<Span> copied_spans(const std::string& line);

/// The line with a word of as many letters in place of each of its spans: so it has no marks of sentences there.
std::string with_words(std::string line, const std::vector<Span>& spans);

}  // namespace gradus
