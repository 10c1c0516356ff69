#pragma once
/// \file
/// Foreign text in our own messages.

#include <string>

namespace gradus {

/// `text` as it may stand in a message of one line: in quotes, control characters spelled out, cut if it is long.
std::string quoted(const std::string& text);

}  // namespace gradus
