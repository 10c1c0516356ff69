#pragma once
/// \file
/// Checks whether the translation has the numbers of its sentence.

#include <string>
#include <vector>

namespace gradus {

/// The numbers of a text that are written in the digits 0 to 9, in order. A sign between digits separates two
/// numbers ("7:45" is 7 and 45) unless it groups thousands: a comma, a full stop, an apostrophe or a narrow or
/// no-break space, after one to three digits and before exactly three ("1,200" is 1200). Leading zeros are removed.
std::vector<std::string> numbers_in(const std::string& text);

struct ChangedNumbers {
  std::vector<std::string> lost;   ///< of the source, not in the translation
  std::vector<std::string> added;  ///< in the translation, not in the source
};

/// The lost numbers, and those that are there instead. Empty if only the order or the signs between digits differ.
/// A number up to twelve may become a word, so it counts as lost only if another one was added. A number that is
/// added while none is lost may have been a word in the source, so it is not reported.
ChangedNumbers changed_numbers(const std::string& source, const std::string& translation);

}  // namespace gradus
