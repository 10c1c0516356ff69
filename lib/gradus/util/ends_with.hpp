#pragma once
/// \file
/// A function that std::string_view has as a member from C++20 on.

#include <string_view>

namespace gradus {

/// Whether the last bytes of `text` are those of `end`.
constexpr bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace gradus
