#include "11_translator/data/normaliser.hpp"

#include <algorithm>
#include <sstream>

#include "gradus/io/normal_text.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

using Texts = std::vector<std::u32string>;

// Each sign may stand for any other of its row. The first that the model has seen is taken.
constexpr std::u32string_view rows_of_signs[] = {
    U"'\u2019\u2018\u201A\u201B\u2032\u02BC\u00B4\u2039\u203A",         // single
    U"\"\u201D\u201C\u201E\u201F\u2033\u00AB\u00BB\u301D\u301E\u301F",  // double
    U"-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"};                    // hyphens, dashes, minus
constexpr const char32_t* ligatures[] = {U"ff", U"fi", U"fl", U"ffi", U"ffl", U"st", U"st"};  // from U+FB00 on
constexpr char32_t first_ligature = 0xFB00, ellipsis = 0x2026, first_full_width = 0xFF01, last_full_width = 0xFF5E;

/// What may be read in place of `c`, the best first.
Texts stand_ins(char32_t c) {
  Texts texts;
  if (c >= first_ligature && c < first_ligature + std::size(ligatures)) texts = {ligatures[c - first_ligature]};
  if (c == ellipsis) texts = {U"..."};
  if (c >= first_full_width && c <= last_full_width) {
    const char32_t ascii = c - first_full_width + U'!';
    texts = stand_ins(ascii);  // a full-width quote may have no ASCII one
    texts.insert(texts.begin(), std::u32string(1, ascii));
  }
  for (const std::u32string_view row : rows_of_signs) {
    if (row.find(c) == row.npos) continue;
    for (const char32_t other : row) texts.emplace_back(1, other);
  }
  return texts;
}

}  // namespace

Normaliser::Normaliser(const Tokenizer& tokenizer, const SeenPieces& seen)
    : changes_(tokenizer.rules().normalisation != Normalisation::never), lower_case_(tokenizer.rules().lower_case) {
  for (std::size_t id = Specials::count; changes_ && id < tokenizer.size(); ++id) {
    if (!seen.empty() && !seen[id]) continue;
    for (const char32_t c : code_points(tokenizer.piece(static_cast<int>(id)))) known_.insert(c);
  }
}

bool Normaliser::knows(const std::u32string& text) const {
  const std::u32string read = lower_case_ ? code_points(lower_case(to_utf8(text))) : text;
  return std::all_of(read.begin(), read.end(), [&](char32_t c) { return known_.count(c) != 0; });
}

std::u32string Normaliser::read_as(char32_t c) const {
  std::u32string same(1, c);
  if (knows(same)) return same;
  const Texts others = stand_ins(c);
  const auto found = std::find_if(others.begin(), others.end(), [&](const auto& other) { return knows(other); });
  return found == others.end() ? same : *found;
}

std::u32string Normaliser::in_known_parts(char32_t c) const {
  std::u32string same(1, c);
  if (knows(same)) return same;
  const std::u32string parts = form_d(c);
  return knows(parts) ? parts : same;
}

std::string Normaliser::operator()(const std::string& text) const {
  if (!changes_) return text;
  const std::u32string points = code_points(text);
  const auto is_plain = [&](char32_t c) { return c == U' ' || (c < 0x80 && known_.count(c) != 0); };
  if (std::all_of(points.begin(), points.end(), is_plain)) return text;
  std::u32string read;
  for (const char32_t c : without_ignorable(points)) read += read_as(c);
  std::u32string parts;
  for (const char32_t c : code_points(form_c(read))) parts += in_known_parts(c);
  return to_utf8(parts);
}

std::vector<std::size_t> words_left(const Normaliser& normalised, const std::string& text) {
  std::vector<std::size_t> left;
  std::istringstream words(text);
  std::size_t number = 0;
  for (std::string word; words >> word; ++number) {
    if (!normalised(word).empty()) left.push_back(number);
  }
  return left;
}

}  // namespace gradus
