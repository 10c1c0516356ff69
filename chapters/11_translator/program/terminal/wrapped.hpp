#pragma once
/// \file
/// Text in lines that fit a terminal.

#include <string>

namespace gradus {

/// `text` with its lines broken between words so that none has more than `width` characters, unless one word alone has. A
/// line that goes on is indented by as many spaces as it begins with, and by `hanging` more. Characters are code points.
std::string wrapped(const std::string& text, std::size_t width, std::size_t hanging = 0);

}  // namespace gradus
