#pragma once
/// \file
/// Signs and units of numbers: "-5 °C", "50%", "$5", "5kg".

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// What is attached to a number of a text.
struct NumberMarks {
  std::vector<std::string> names;  ///< of the rows of number_marks.cpp: "-", "%", "kg"
  std::string written;  ///< the number as the text has it, with all that is attached to it: "-5 °C", "3rd", "10:30"
  bool is_ordinal = false;  ///< "3rd"
  bool is_name = false;     ///< "3D", "B22": letters with a capital beside the digits, and no unit
  bool is_joined = false;   ///< one of the numbers of "4x4"
  std::string name;         ///< of a name with a capital: all its letters and digits, in lower case
};

/// Of the number whose digits are the characters from `begin` to before `end`. Of a date, a time and other numbers with signs between them
/// `written` has all. One space may stand before a percent sign, a currency, a degree or a unit of several letters. A hyphen before the
/// digits is a minus unless letters or digits stand before it.
NumberMarks number_marks(const std::u32string& text, std::size_t begin, std::size_t end);

/// The marks that a text says anywhere, in signs or in words.
class SaidMarks {
 public:
  explicit SaidMarks(const std::string& text);

  /// Whether the text may say the mark: "%" as percent, Prozent, cento. In scripts whose words are not known here all marks count as said. A
  /// minus is said in words, minus, moins, unter Null, or by its sign with a space behind it: "- 5".
  bool say(const std::string& name) const;

 private:
  bool has_minus_apart() const;

  std::u32string text_;
  std::vector<std::u32string> words_;
  bool has_other_script_ = false;
};

}  // namespace gradus
