#pragma once
/// \file
/// One translation, and the data about it.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "11_translator/warnings/text_languages.hpp"

namespace gradus {

/// A piece of the source.
struct SourceToken {
  std::string text;      ///< SentencePiece writes U+2581 for the space before a word; <eos> ends the list
  std::size_t word = 0;  ///< index of its word in the sentence; white space separates words
};

/// A piece of a translation.
struct TargetToken {
  std::string text;        ///< as in SourceToken
  double log_prob = 0;     ///< nats, given the source and the tokens before it
  std::size_t source = 0;  ///< the source token that it is aligned with (token_alignment.hpp)
  std::size_t word = 0;    ///< index of its word in the translation
};

/// The value of `word` for a token outside words: <eos>, a lone space.
constexpr std::size_t no_word = static_cast<std::size_t>(-1);

struct TranslatedText {
  std::string text;
  double score = 0;           ///< log probability divided by the length norm: the search ranks by it
  double token_log_prob = 0;  ///< mean log probability of its tokens, <eos> included
  bool copied = false;        ///< its source has no letter, so it is the source, and no search found it
  bool cut = false;           ///< the source was longer than the model reads, so its end was left out
  /// less probable than nearly all of the model's validation (ModelFiles::unusual_below); after a short source
  /// (search_texts.hpp) without the end mark and <eos>
  bool unusual = false;
  bool unfinished = false;  ///< it stops at the most tokens that it may have, before its end
  bool hesitant = false;    ///< as improbable as the validation's bad translations (WarningLimits::hesitant_below)

  // Only for the best translation of a sentence.
  std::vector<std::string> unknown =
      {};  ///< parts of the source that the source side of the training text never had
  /// if `hesitant`: words of the source that are not single pieces of the vocabulary
  std::vector<std::string> in_parts = {};
  std::vector<std::string> muted = {};  ///< codes of warnings that the model does not give
  TextLanguages languages = {};         ///< of the source and of this text

  // Empty without TranslateOptions::with_tokens.
  std::vector<SourceToken> source_tokens = {};
  std::vector<TargetToken> tokens = {};  ///< <eos> at the end, unless the translation was cut at its maximum length
};

/// The alignment of words: pairs (source, translation) counted from 0, in rising order, each once. Two words are
/// aligned if tokens of them are. Needs TranslateOptions::with_tokens.
std::vector<std::pair<std::size_t, std::size_t>> word_alignment(const TranslatedText& text);

}  // namespace gradus
