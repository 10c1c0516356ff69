#pragma once
/// \file
/// What BLEU takes for a word: the tokenizer of mteval-v13a.pl (NIST, 2009), as sacreBLEU words it
/// (Matt Post, "A Call for Clarity in Reporting BLEU Scores", WMT 2018, https://aclanthology.org/W18-6319).

#include <string>
#include <string_view>

namespace gradus {

/// computes: the words of `line`, one space between them. &quot; &amp; &lt; &gt; become the characters they
///           stand for; ASCII punctuation becomes a word of its own, save apostrophes, hyphens that follow no digit,
///           and points and commas between digits.
/// requires: one line of text, in UTF-8; line breaks are white space like any other.
/// ensures:  a text equal to sacreBLEU's for the same line.
/// saves:    nothing.
///
/// The rules look at bytes: all they ask for is ASCII, and no byte of a longer UTF-8 character is. So quotation
/// marks such as „“ and dashes such as – stay glued to their words, in sacreBLEU and here.
std::string tokenize_13a(std::string_view line);

}  // namespace gradus
