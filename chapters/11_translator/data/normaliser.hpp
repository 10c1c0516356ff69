#pragma once
/// \file
/// The characters that a model reads in place of those of a text.

#include <string>
#include <unordered_set>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// By the id of a piece: whether one side of the training text had it. Empty: not known, so all count as seen.
using SeenPieces = std::vector<bool>;

/// Prepares a text for one side of a model, which may never have seen some of its characters.
///
/// computes  normal_text (gradus/io/normal_text.hpp), except that characters of a written list that this side of the training
///           text never had become others that it had: typographic quotes and apostrophes, hyphens and dashes, ligatures
///           (U+FB00 to U+FB06), full-width ASCII, the ellipsis. A character in one code point that it never had becomes a letter and its
///           marks, if it had those.
/// requires  UTF-8, else Error.
/// ensures   A text of characters that this side had is only changed as normal_text changes it. Nothing is left of a text that is
///           nothing but ignorable characters.
class Normaliser {
 public:
  Normaliser() = default;  ///< changes nothing

  /// Of a side with these pieces. Changes nothing if the rules say Normalisation::never.
  Normaliser(const Tokenizer& tokenizer, const SeenPieces& seen);

  std::string operator()(const std::string& text) const;

 private:
  std::u32string read_as(char32_t c) const;
  std::u32string in_known_parts(char32_t c) const;
  bool knows(const std::u32string& text) const;

  bool changes_ = false, lower_case_ = false;
  std::unordered_set<char32_t> known_;
};

/// For each word of `text` of which `normalised` leaves something: its number in `text`. White space separates words.
std::vector<std::size_t> words_left(const Normaliser& normalised, const std::string& text);

}  // namespace gradus
