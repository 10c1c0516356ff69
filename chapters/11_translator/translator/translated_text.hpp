#pragma once
/// \file
/// One translation, and what is known about it.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gradus {

/// A piece of the source.
struct SourceToken {
  std::string text;      ///< SentencePiece writes U+2581 for the space before a word; <eos> ends the list
  std::size_t word = 0;  ///< in which word of the sentence it stands; words are what white space separates
};

/// A piece of a translation.
struct TargetToken {
  std::string text;        ///< as in SourceToken
  double log_prob = 0;     ///< nats, given the source and the tokens before
  std::size_t source = 0;  ///< the source token that it is aligned with (token_alignment.hpp)
  std::size_t word = 0;    ///< in which word of the translation it stands
};

/// `word` of a token that stands in none: <eos>, a lone space.
constexpr std::size_t no_word = static_cast<std::size_t>(-1);

struct TranslatedText {
  std::string text;
  double score = 0;           ///< log probability over the length norm: what the search ranks by
  double token_log_prob = 0;  ///< log probability, mean over its tokens, <eos> counted
  bool cut = false;           ///< the source was longer than the model reads, so its end was left out
  bool unusual = false;   ///< less probable than nearly all of the model's validation (ModelFiles::unusual_below)
  bool hesitant = false;  ///< half as improbable already (hesitant_share), as translations of rare words are

  // Of the best translation of a sentence alone.
  std::vector<std::string> unknown = {};  ///< parts of the source that no training sentence had: <unk> to the model
  std::vector<std::string> in_parts =
      {};  ///< where `hesitant`: words of the source that the vocabulary has in parts only

  // Empty without TranslateOptions::with_tokens.
  std::vector<SourceToken> source_tokens = {};
  std::vector<TargetToken> tokens = {};  ///< <eos> at the end, unless the translation was cut at its longest
};

/// Which word of the source belongs to which of the translation: pairs (source, translation) counted from 0, in rising
/// order, none twice. Words are joined where one of their tokens is aligned. Needs TranslateOptions::with_tokens.
std::vector<std::pair<std::size_t, std::size_t>> word_alignment(const TranslatedText& text);

}  // namespace gradus
