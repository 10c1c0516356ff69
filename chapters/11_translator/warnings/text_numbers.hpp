#pragma once
/// \file
/// The numbers of a text, in one way of reading it.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// What "3.5", "1/2" and "1 000" may mean: one number or two.
struct NumberReading {
  bool fractions = true;  ///< "3.5" and "3,5" are 3.5, "1/2" is 0.5, "2 1/2" is 2.5; else 3 and 5, 1 and 2
  bool spaces = false;    ///< a plain space groups thousands, as a comma does: "1 000" is 1000
};

struct TextNumber {
  std::string value;  ///< in the form "3.5", "1200", "10^2", without a sign; zeros that mean nothing are removed
  std::size_t begin,
      end;  ///< its place in the characters of the text, the end excluded; of a part of a date, that of the date
};

/// The numbers of a text in digits of any script, in order. A comma, a full stop, an apostrophe or a narrow or no-break space groups
/// thousands after one to three digits and before exactly three ("1,200" is 1200), unless the first digit is 0 or the same comma or full stop goes on with fewer or more digits ("1.000.50"). What has more signs
/// between its digits is a date or a time: its parts are numbers. A superscript belongs to the digits before it.
std::vector<TextNumber> text_numbers(const std::string& text, const NumberReading& reading);

}  // namespace gradus
