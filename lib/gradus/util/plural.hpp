#pragma once
/// \file
/// Numbers of things in messages.

#include <cstddef>
#include <string>

namespace gradus {

/// "1 sentence", "2 sentences": for words whose plural ends in s.
inline std::string plural(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace gradus
