#include "01_embedding/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {

namespace {

constexpr char32_t zero_width_space = 0x200B;  // invisible; Thai and Khmer texts may have it between words

bool separates(char32_t c) { return is_white_space(c) || is_control(c) || c == zero_width_space; }

/// Letters, digits, and the marks and invisible characters that go with them.
bool is_letter(char32_t c) { return !separates(c) && !is_punctuation(c) && !is_symbol(c); }

/// Hyphens, apostrophes, and the marks inside words of Catalan and Hebrew.
bool joins_letters(char32_t c) { return is_among(U"-'\u2010\u2011\u2019\u00B7\u05F3\u05F4", c); }

bool is_space_byte(unsigned char byte) { return byte <= ' ' || byte == 0x7f; }

bool is_letter_byte(unsigned char byte) {  // not std::isalnum, whose result depends on the locale
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

/// The four special words in the order of their ids. Throws Error if the ids are not 0 to 3.
std::array<std::string, Specials::count> special_words(const Specials& specials) {
  std::array<std::string, Specials::count> words;
  const auto place = [&](int id, const char* word) {
    if (id < 0 || id >= Specials::count || !words[id].empty())
      fail("the special ids must be 0, 1, 2 and 3, in any order");
    words[id] = word;
  };
  place(specials.pad, pad_word);
  place(specials.unk, unk_word);
  place(specials.bos, bos_word);
  place(specials.eos, eos_word);
  return words;
}

}  // namespace

std::vector<std::string> words_of(const std::string& sentence, bool lower) {
  const std::u32string text = code_points(lower ? lower_case(sentence) : sentence);
  const auto letter_at = [&](std::size_t i) { return i < text.size() && is_letter(text[i]); };
  std::vector<std::string> words;
  bool inside = false;  // whether a letter can continue the last word
  for (std::size_t i = 0, length = 1; i < text.size(); i += length) {
    const bool joins = inside && joins_letters(text[i]) && letter_at(i + 1);
    const bool letter = letter_at(i) || joins, separator = separates(text[i]);
    length = letter || separator ? 1 : visible_character(text, i);
    if (!separator) {
      if (!letter || !inside) words.emplace_back();
      words.back() += to_utf8(text.substr(i, length));
    }
    inside = letter;
  }
  return words;
}

std::vector<std::string> words_by_bytes(const std::string& sentence, bool lower) {
  const std::string text = lower ? lower_case(sentence) : sentence;
  const auto letter_at = [&](std::size_t i) { return i < text.size() && is_letter_byte(text[i]); };
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool joins = inside && (text[i] == '-' || text[i] == '\'') && letter_at(i + 1);
    const bool letter = letter_at(i) || joins;
    if (letter && inside) {
      words.back() += text[i];
    } else if (!is_space_byte(text[i])) {
      words.emplace_back(1, text[i]);
    }
    inside = letter;
  }
  return words;
}

Vocabulary Vocabulary::learn(const std::vector<std::string>& sentences, const VocabularyOptions& options) {
  Vocabulary vocabulary;
  vocabulary.lower_case_ = options.lower_case;
  vocabulary.rules_ = options.rules;
  vocabulary.specials_ = options.specials;
  std::map<std::string, int> counts;  // a map, so that the words are sorted
  for (const std::string& sentence : sentences) {
    for (const std::string& word : vocabulary.words(sentence)) ++counts[word];
  }
  std::vector<std::pair<std::string, int>> ranked(counts.begin(), counts.end());
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });

  for (const std::string& word : special_words(options.specials)) vocabulary.add(word);
  for (const auto& [word, count] : ranked) {
    const bool full = options.max_size > 0 && vocabulary.size() >= options.max_size;
    if (count >= options.min_frequency && !full) vocabulary.add(word);
  }
  return vocabulary;
}

void Vocabulary::add(const std::string& word) {
  ids_.emplace(word, size());
  words_.push_back(word);
}

std::vector<std::string> Vocabulary::words(const std::string& sentence) const {
  return rules_ == WordRules::bytes ? words_by_bytes(sentence, lower_case_) : words_of(sentence, lower_case_);
}

std::vector<int> Vocabulary::encode(const std::string& sentence) const {
  std::vector<int> ids;
  for (const std::string& word : words(sentence)) {
    const auto found = ids_.find(word);
    ids.push_back(found == ids_.end() ? specials_.unk : found->second);
  }
  return ids;
}

std::string Vocabulary::decode(const std::vector<int>& ids) const {
  static const std::set<std::string> close = {".", ",", ";", ":", "!", "?", ")", "]"}, open = {"(", "["};
  // Marks of Chinese and Japanese, which have their space inside, then others.
  static const std::set<std::string> wide = {"。", "、", "，", "．", "：", "；", "！", "？", "・", "（", "）", "「",
                                             "」", "『", "』", "《", "》", "〈", "〉", "【", "】", "〔", "〕"};
  static const std::set<std::string> also_close = {"…", "؟", "،", "؛", "۔", "।", "॥"}, also_open = {"¿", "¡"};
  const bool all = rules_ == WordRules::unicode;
  std::string text;
  bool space = false;  // no space before the first word
  for (const int id : ids) {
    const std::string& next = word(id);
    if (id == specials_.pad || id == specials_.bos || id == specials_.eos) continue;
    const bool is_wide = all && wide.count(next) != 0;
    const bool closes = close.count(next) != 0 || is_wide || (all && also_close.count(next) != 0);
    if (space && !closes) text += ' ';
    text += next;
    space = open.count(next) == 0 && !is_wide && !(all && also_open.count(next) != 0);
  }
  return text;
}

const std::string& Vocabulary::word(int id) const {
  if (id < 0 || id >= size())
    fail("id " + std::to_string(id) + " is no word: ids end before " + std::to_string(size()));
  return words_[id];
}

std::string Vocabulary::text() const {
  std::string lines;
  for (const std::string& word : words_) lines += word + '\n';
  return lines;
}

void Vocabulary::save(const std::string& path) const { write_atomically(path, text()); }

Vocabulary Vocabulary::load(const std::string& path, bool lower_case, WordRules rules) {
  constexpr std::uint64_t longest = 256'000'000;  // bytes: a million words, and more than that
  return parse(read_regular_file(path, longest), path, lower_case, rules);
}

Vocabulary Vocabulary::parse(const std::string& text, const std::string& origin, bool lower_case, WordRules rules) {
  if (!is_utf8(text)) fail(origin + ": not UTF-8, so not a vocabulary");
  Vocabulary vocabulary;
  vocabulary.lower_case_ = lower_case;
  vocabulary.rules_ = rules;
  std::istringstream file(text);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto fail_here = [&](const std::string& what) {
      fail(origin + ":" + std::to_string(vocabulary.size() + 1) + ": " + quoted(line) + " " + what);
    };
    if (vocabulary.size() >= Specials::count && vocabulary.words(line) != std::vector<std::string>{line}) {
      fail_here(std::string("is not one word") + (lower_case ? " in lower case" : ""));
    }
    if (vocabulary.ids_.count(line) > 0) fail_here("occurs twice");
    vocabulary.add(line);
  }
  const auto id = [&](const char* special) {
    const auto found = vocabulary.ids_.find(special);
    if (found == vocabulary.ids_.end())
      fail(origin + ": no " + special + " in the first four lines, so not a vocabulary");
    return found->second;
  };
  vocabulary.specials_ = {id(pad_word), id(unk_word), id(bos_word), id(eos_word)};
  return vocabulary;
}

}  // namespace gradus
