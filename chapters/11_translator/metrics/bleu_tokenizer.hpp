#pragma once
/// \file
/// BLEU's words: the tokenizers of sacreBLEU (Matt Post, "A Call for Clarity in Reporting BLEU Scores", WMT 2018,
/// https://aclanthology.org/W18-6319), and which of them fits a text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/util/names.hpp"

namespace gradus {

enum class BleuTokenizer { v13a, intl, characters, none, zh };

template <>
struct Names<BleuTokenizer> {
  static constexpr const char* noun = "tokenizer of BLEU";
  static constexpr Name<BleuTokenizer> table[] = {{BleuTokenizer::v13a, "13a"},
                                                  {BleuTokenizer::intl, "intl"},
                                                  {BleuTokenizer::characters, "char"},
                                                  {BleuTokenizer::none, "none"},
                                                  {BleuTokenizer::zh, "zh"}};
};

/// computes  the words of `line`, one space between them:
///           13a   punctuation of ASCII apart (tokenize_13a.hpp), which fits texts with spaces between words;
///           intl  punctuation of every script apart unless it stands between two numerals, and symbols apart: mteval-v14;
///           char  every character is a word;
///           zh    every Chinese character and every mark of full width is a word, the rest is cut almost as by 13a;
///           none  the text is tokenised already: spaces separate words.
/// requires  one line of text; bytes that are not UTF-8 count as letters.
/// ensures   The text equals that of sacreBLEU's tokenizer of this name.
/// saves     nothing.
std::string tokenize(BleuTokenizer tokenizer, std::string_view line);

/// A script that has no spaces between words.
struct UnspacedScript {
  const char* name;         ///< for people: Chinese, Japanese, Thai, ...
  BleuTokenizer tokenizer;  ///< zh for Chinese, as in sacreBLEU; else char
};

/// The script of a text of which more than half of the letters belong to scripts without spaces; none for other texts. A
/// tenth of kana among the letters of China and Japan makes it Japanese.
std::optional<UnspacedScript> unspaced_script(const std::vector<std::vector<std::string>>& texts);

/// The tokenizer that fits these references: that of their script, or 13a.
BleuTokenizer fitting_tokenizer(const std::vector<std::vector<std::string>>& references);

}  // namespace gradus
