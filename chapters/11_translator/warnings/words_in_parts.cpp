#include "11_translator/warnings/words_in_parts.hpp"

#include <algorithm>

#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

struct CutWord {
  std::string text;
  std::size_t pieces = 0;
};

bool belongs_to_word(char32_t c) { return is_word_character(c) && has_spaces(c) && !(c >= U'0' && c <= U'9'); }

/// Joins the letters of pieces to words, and keeps the words that have several pieces.
class CutWords {
 public:
  void add(const TextPiece& piece) {
    if (piece.id == Tokenizer::specials.unk) return end();
    bool counted = false;  // whether this piece is counted for the word already
    for (const char32_t c : code_points(piece.text)) {
      if (!belongs_to_word(c)) {  // for example U+2581, SentencePiece's space
        end();
        counted = false;
        continue;
      }
      append_utf8(word_.text, c);
      word_.pieces += counted ? 0 : 1;
      counted = true;
    }
  }

  /// Ends the current word.
  void end() {
    const auto is_same = [&](const CutWord& other) { return other.text == word_.text; };
    if (word_.pieces > 1 && std::none_of(found.begin(), found.end(), is_same)) found.push_back(word_);
    word_ = {};
  }

  std::vector<CutWord> found;

 private:
  CutWord word_;
};

}  // namespace

std::vector<std::string> words_in_parts(const std::vector<TextPiece>& pieces) {
  CutWords words;
  for (const TextPiece& piece : pieces) words.add(piece);
  words.end();
  std::stable_sort(words.found.begin(), words.found.end(),
                   [](const CutWord& a, const CutWord& b) { return a.pieces > b.pieces; });
  std::vector<std::string> texts;
  for (const CutWord& word : words.found) texts.push_back(word.text);
  return texts;
}

std::vector<std::string> unknown_parts(const std::vector<TextPiece>& pieces,
                                       const std::function<bool(std::int32_t)>& is_new) {
  const std::string space = "\u2581";
  std::vector<std::string> parts;
  std::string part;
  const auto end_part = [&] {
    if (!part.empty() && std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    part.clear();
  };
  for (const TextPiece& piece : pieces) {
    const bool begins_word = piece.text.rfind(space, 0) == 0;
    if (begins_word || !is_new(piece.id)) end_part();
    if (is_new(piece.id)) part += begins_word ? piece.text.substr(space.size()) : piece.text;
  }
  end_part();
  return parts;
}

}  // namespace gradus
