#pragma once
/// \file
/// The words of an enum, compared with those that stored files and command lines have.

#include <cstddef>

#include "gradus/util/names.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// `words`: of every value, in the order of the enum.
template <class Enum>
void check_names(const std::vector<std::string>& words) {
  CHECK(all_names<Enum>().size() == words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    INFO(words[i]);
    const auto value = static_cast<Enum>(i);
    CHECK(name_of(value) == words[i]);
    CHECK(parse<Enum>(words[i]) == value);
  }
}

}  // namespace gradus::test
