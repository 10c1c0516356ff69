#include "11_translator/metrics/bleu_tokenizer.hpp"

#include "11_translator/metrics/ngrams.hpp"
#include "11_translator/metrics/tokenize_13a.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

using Characters = std::vector<std::string_view>;

char32_t value_of(std::string_view character) { return decode_utf8(character).value; }
bool is_mark(std::string_view c) { return is_punctuation(value_of(c)); }
bool is_no_number(std::string_view c) { return !is_number(value_of(c)); }

/// Without white space at its end: Python's str.rstrip().
std::string_view right_stripped(std::string_view line) {
  const Characters all = split_characters(line);
  for (auto c = all.rbegin(); c != all.rend() && is_python_space(value_of(*c)); ++c) line.remove_suffix(c->size());
  return line;
}

/// Without white space at both ends.
std::string_view stripped(std::string_view line) {
  for (const std::string_view c : split_characters(line)) {
    if (!is_python_space(value_of(c))) break;
    line.remove_prefix(c.size());
  }
  return right_stripped(line);
}

/// Puts a space into each pair for which `first` and `second` hold, and `before` and `after` around it. Pairs do not overlap.
template <class First, class Second>
std::string split_pairs(std::string_view text, First first, Second second, const char* before, const char* after) {
  const Characters all = split_characters(text);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 == all.size() || !first(all[i]) || !second(all[i + 1])) {
      out += all[i];
      continue;
    }
    out.append(before).append(all[i]).append(" ").append(all[i + 1]).append(after);
    ++i;
  }
  return out;
}

/// Puts spaces around each character for which `which` holds.
template <class Which>
std::string set_apart(std::string_view text, Which which) {
  std::string out;
  for (const std::string_view c : split_characters(text)) {
    if (which(c)) {
      out.append(" ").append(c).append(" ");
    } else {
      out += c;
    }
  }
  return out;
}

/// A mark that ends the line behind a numeral stays with it, as in mteval-v14.
std::string tokenize_intl(std::string_view line) {
  std::string text = split_pairs(right_stripped(line), is_no_number, is_mark, "", " ");
  text = split_pairs(text, is_mark, is_no_number, " ", "");
  return join_words(set_apart(text, [](auto c) { return is_symbol(value_of(c)); }), " ");
}

std::string tokenize_characters(std::string_view line) {
  return join_words(set_apart(line, [](auto) { return true; }), " ");
}

struct Range {
  char32_t first, last;
};

template <class Ranges>
bool is_in(const Ranges& ranges, char32_t c) {
  for (const Range& r : ranges) {
    if (c >= r.first && c <= r.last) return true;
  }
  return false;
}

/// What sacreBLEU counts as Chinese. Its table has "\u20000" for the first character beyond 16 bits, which Python reads as
/// U+2000 and a zero: so that range is U+2001 to U+2A6D, with dashes, quotation marks and arrows in it, and has no such character.
bool is_chinese_for_scores(std::string_view c) {
  static constexpr Range ranges[] = {{0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F},
                                     {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF},
                                     {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
                                     {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
  return is_in(ranges, value_of(c));
}

std::string tokenize_zh(std::string_view line) {
  return tokenize_western(set_apart(stripped(line), is_chinese_for_scores));
}

constexpr Range han[] = {
    {0x3005, 0x3007}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x20000, 0x3FFFF}};
constexpr Range kana[] = {{0x3041, 0x30FF}, {0x31F0, 0x31FF}, {0xFF66, 0xFF9F}, {0x1AFF0, 0x1B16F}};

struct Script {
  const char* name;
  Range range;
};
constexpr Script others[] = {{"Thai", {0x0E01, 0x0E7F}},    {"Lao", {0x0E80, 0x0EFF}},
                             {"Tibetan", {0x0F00, 0x0FFF}}, {"Burmese", {0x1000, 0x109F}},
                             {"Khmer", {0x1780, 0x17FF}},   {"Javanese", {0xA980, 0xA9DF}}};
constexpr std::size_t other_scripts = sizeof others / sizeof others[0];

/// Letters, with the signs that combine with them, by script.
struct Letters {
  std::size_t all = 0, han = 0, kana = 0, other[other_scripts] = {};

  void add(char32_t c) {
    if (!is_word_character(c) || is_number(c)) return;
    ++all;
    han += is_in(gradus::han, c) ? 1 : 0;
    kana += is_in(gradus::kana, c) ? 1 : 0;
    for (std::size_t k = 0; k < other_scripts; ++k) {
      if (c >= others[k].range.first && c <= others[k].range.last) ++other[k];
    }
  }
};

}  // namespace

std::string tokenize(BleuTokenizer tokenizer, std::string_view line) {
  switch (tokenizer) {
    case BleuTokenizer::v13a:
      return tokenize_13a(line);
    case BleuTokenizer::intl:
      return tokenize_intl(line);
    case BleuTokenizer::characters:
      return tokenize_characters(line);
    case BleuTokenizer::zh:
      return tokenize_zh(line);
    case BleuTokenizer::none:
      break;
  }
  return join_words(line, " ");
}

std::optional<UnspacedScript> unspaced_script(const std::vector<std::vector<std::string>>& texts) {
  Letters letters;
  for (const std::vector<std::string>& text : texts) {
    for (const std::string& line : text) {
      for (const std::string_view c : split_characters(line)) letters.add(value_of(c));
    }
  }
  const std::size_t east = letters.han + letters.kana;
  std::size_t unspaced = east, most = east;
  UnspacedScript script{"Chinese", BleuTokenizer::zh};
  if (10 * letters.kana >= east) script = {"Japanese", BleuTokenizer::characters};
  for (std::size_t k = 0; k < other_scripts; ++k) {
    unspaced += letters.other[k];
    if (letters.other[k] > most) most = letters.other[k], script = {others[k].name, BleuTokenizer::characters};
  }
  if (2 * unspaced <= letters.all) return std::nullopt;
  return script;
}

BleuTokenizer fitting_tokenizer(const std::vector<std::vector<std::string>>& references) {
  const std::optional<UnspacedScript> script = unspaced_script(references);
  return script ? script->tokenizer : BleuTokenizer::v13a;
}

}  // namespace gradus
