#pragma once
/// \file
/// A text of paragraphs as parts to translate, and parts that stay as they are.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gradus {

/// A part of a line. The parts of a line, one after the other, are the line.
struct TextPart {
  std::string text;
  bool is_copied = false;  ///< no language: white space, addresses, code, numbers, marks
};

/// Whether a sentence can be translated as a whole: its translation has these addresses and pieces of code as often as it.
using KeepsCopied = std::function<bool(const std::string& sentence, const std::vector<std::string>& copied)>;

/// The lines of a text, in their order. Each is a paragraph: no sentence goes on in the next line.
class RunningText {
 public:
  static constexpr std::size_t longest = 300;  ///< columns of a part; longer sentences are cut

  /// The parts of the next line, UTF-8, else Error. A part to translate is a sentence, or, unless it `keeps` them, what addresses and
  /// code (copied_spans.hpp) leave of one, without spaces at its ends. A longer one ends at the last mark of a clause, or else at the last space, or
  /// else between two characters. Lines between two fences of code (``` or ~~~) are copied.
  std::vector<TextPart> parts(const std::string& line, const KeepsCopied& keeps = {});

 private:
  bool is_code(const std::string& line);

  std::string fence_;  // of the code that is open
};

/// Whether the translation has these parts of the sentence as often as it.
bool has_copied(const std::vector<std::string>& copied, const std::string& sentence,
                const std::string& translation);

/// The line of translated parts. A space is added where the source needed none and the translation does: between sentences
/// that were Chinese and are German.
std::string joined_parts(const std::vector<TextPart>& parts);

}  // namespace gradus
