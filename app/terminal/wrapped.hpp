#pragma once
/// \file
/// Breaks text into lines that fit a terminal.

#include <cstddef>
#include <string>

namespace gradus {

/// `text` with its lines broken between words so that no line has more than `width` characters, except for a single
/// longer word. A continuation line is indented like its first line, plus `hanging` spaces. Characters are code
/// points.
std::string wrapped(const std::string& text, std::size_t width, std::size_t hanging = 0);

}  // namespace gradus
