#pragma once
/// \file
/// Where the toy corpus is.

#include <string>

namespace gradus::test {

/// The path of one of its files.
inline std::string toy(const std::string& name) {
  return std::string(GRADUS_CHAPTERS) + "/11_translator/toy/" + name;
}

}  // namespace gradus::test
