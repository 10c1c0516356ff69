#pragma once
/// \file
/// Whether the numbers of a sentence have reached its translation.

#include <string>
#include <vector>

namespace gradus {

/// The numbers of a text that are written in the digits 0 to 9, in their order. A sign between digits parts them ("7:45" is 7
/// and 45) unless it groups thousands: a comma, a full stop, an apostrophe or a narrow or no-break space before exactly three
/// digits, after one to three ("1,200" is 1200). Zeros at the head are left out.
std::vector<std::string> numbers_in(const std::string& text);

struct ChangedNumbers {
  std::vector<std::string> lost;   ///< of the source, not in the translation
  std::vector<std::string> added;  ///< in the translation, not in the source
};

/// Which numbers are lost, and which stand in their place. Nothing where numbers only stand in another order, or have other
/// signs between their digits. A number up to twelve may become a word, so it is lost only where another one was added. What is
/// added while nothing is lost may have been a word in the source: it is not told.
ChangedNumbers changed_numbers(const std::string& source, const std::string& translation);

}  // namespace gradus
