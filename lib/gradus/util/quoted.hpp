#pragma once
/// \file
/// Foreign text in our own messages, and on a terminal.

#include <string>

namespace gradus {

/// `text` as it may stand in a message of one line: in quotes, control characters spelled out, cut if it is long.
std::string quoted(const std::string& text);

/// `text` with its control characters spelled out, as JSON does, so that a terminal shows them and obeys none. What
/// is not UTF-8 becomes U+FFFD.
std::string printable(const std::string& text);

}  // namespace gradus
