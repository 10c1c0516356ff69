#pragma once
/// \file
/// A text of paragraphs as parts to translate, and parts that stay as they are.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// A part of a line. The parts of a line, one after the other, are the line.
struct TextPart {
  std::string text;
  bool is_copied = false;  ///< no language: white space, addresses, code, numbers, marks
};

/// The lines of a text, in their order. Each is a paragraph: no sentence goes on in the next line.
class RunningText {
 public:
  static constexpr std::size_t longest = 300;  ///< columns of a part; longer sentences are cut

  /// The parts of the next line, UTF-8, else Error. A part to translate is a sentence, or what addresses and code (copied_spans.hpp)
  /// leave of one, without spaces at its ends. A longer one ends at the last mark of a clause, or else at the last space, or
  /// else between two characters. Lines between two fences of code (``` or ~~~) are copied.
  std::vector<TextPart> parts(const std::string& line);

 private:
  bool is_code(const std::string& line);

  std::string fence_;  // of the code that is open
};

/// The line of translated parts. A space is added where the source needed none and the translation does: between sentences
/// that were Chinese and are German.
std::string joined_parts(const std::vector<TextPart>& parts);

}  // namespace gradus
