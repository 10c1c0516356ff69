#pragma once
/// \file
/// BLEU's words: the tokenizer of mteval-v13a.pl (NIST, 2009), in sacreBLEU's version (Matt Post, "A Call for
/// Clarity in Reporting BLEU Scores", WMT 2018, https://aclanthology.org/W18-6319).

#include <string>
#include <string_view>

namespace gradus {

/// computes  the words of `line`, one space between them. &quot; &amp; &lt; &gt; become the characters that they
///           stand for. ASCII punctuation becomes a word of its own, except apostrophes, hyphens that follow no
///           digit, and points and commas between digits.
/// requires  one line of text, in UTF-8; line breaks count as white space.
/// ensures   The text equals sacreBLEU's for the same line.
/// saves     nothing.
///
/// The rules look at bytes: they match ASCII characters only, and no byte of a longer UTF-8 character is ASCII. So
/// quotation marks such as „“ and dashes such as – stay joined to their words, as in sacreBLEU.
std::string tokenize_13a(std::string_view line);

/// The part of these rules that sacreBLEU's tokenizer for Chinese has too: without the entities, and without the spaces that 13a
/// puts around the line, so that a point behind a number at its end stays with the number.
std::string tokenize_western(const std::string& line);

}  // namespace gradus
