#include "11_translator/warnings/number_grammar.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "gradus/util/ends_with.hpp"

namespace gradus {
namespace {

using Kind = NumberWord::Kind;
using Value = std::optional<std::uint64_t>;

constexpr std::size_t teens_end = 20;
constexpr std::uint64_t hundred = 100, thousand = 1000, million = 1000000, billion = 1000000000,
                        trillion = 1000000000000, first_large = 13;

std::map<std::string, NumberWord> english_words() {
  constexpr const char* small[] = {"zero",     "one",     "two",     "three",     "four",     "five",    "six",
                                   "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
                                   "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  constexpr const char* tens[] = {"twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"};
  const std::pair<const char*, std::uint64_t> scales[] = {
      {"hundred", hundred}, {"thousand", thousand}, {"million", million}, {"billion", billion}};
  std::map<std::string, NumberWord> words{{"dozen", {12, Kind::scale}},   {"first", {1, Kind::ordinal}},
                                          {"second", {2, Kind::ordinal}}, {"third", {3, Kind::ordinal}},
                                          {"fifth", {5, Kind::ordinal}},  {"eighth", {8, Kind::ordinal}},
                                          {"ninth", {9, Kind::ordinal}},  {"twelfth", {12, Kind::ordinal}}};
  for (std::size_t i = 0; i < teens_end; ++i) {
    words[small[i]] = {i, Kind::cardinal};
    words.insert({std::string(small[i]) + "th", {i, Kind::ordinal}});
  }
  std::uint64_t ten = 2;
  for (const char* stem : tens) {
    words[std::string(stem) + "y"] = {10 * ten, Kind::cardinal};
    words[std::string(stem) + "ieth"] = {10 * ten++, Kind::ordinal};
  }
  for (const auto& [name, value] : scales) {
    words[name] = {value, Kind::scale};
    words[std::string(name) + "th"] = {value, Kind::ordinal};
  }
  return words;
}

std::optional<NumberWord> in_english(const std::string& word) {
  static const std::map<std::string, NumberWord> words = english_words();
  const auto found = words.find(word);
  return found == words.end() ? std::nullopt : std::optional(found->second);
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

Value german_value(const std::string& word);

/// "zwei", "hundert" and "fünfzig" of zweihundertfünfzig; also fünfzehnhundert and hundertundeins.
Value german_product(const std::string& word, const std::string& name, std::uint64_t scale) {
  const std::size_t at = word.find(name);
  if (at == word.npos) return {};
  std::string rest = word.substr(at + name.size());
  if (rest.compare(0, 3, "und") == 0) rest.erase(0, 3);
  const Value times = at == 0 ? Value(1) : german_value(word.substr(0, at)),
              more = rest.empty() ? Value(0) : german_value(rest);
  if (!times || !more || *times == 0 || *times >= scale || *more >= scale || (*more == 0 && !rest.empty()))
    return {};
  return *times * scale + *more;
}

/// Of a word without umlauts.
Value german_value(const std::string& word) {
  static const std::map<std::string, std::uint64_t> small{
      {"null", 0},      {"ein", 1},       {"eins", 1},      {"zwei", 2},      {"zwo", 2},       {"drei", 3},
      {"vier", 4},      {"fuenf", 5},     {"sechs", 6},     {"sieben", 7},    {"acht", 8},      {"neun", 9},
      {"zehn", 10},     {"elf", 11},      {"zwoelf", 12},   {"dreizehn", 13}, {"vierzehn", 14}, {"fuenfzehn", 15},
      {"sechzehn", 16}, {"siebzehn", 17}, {"achtzehn", 18}, {"neunzehn", 19}};
  static const std::map<std::string, std::uint64_t> tens{{"zwanzig", 20},  {"dreissig", 30}, {"vierzig", 40},
                                                         {"fuenfzig", 50}, {"sechzig", 60},  {"siebzig", 70},
                                                         {"achtzig", 80},  {"neunzig", 90}};
  if (const auto found = small.find(word); found != small.end()) return found->second;
  if (const auto found = tens.find(word); found != tens.end()) return found->second;
  if (word.find("tausend") != word.npos) return german_product(word, "tausend", thousand);
  if (word.find("hundert") != word.npos) return german_product(word, "hundert", hundred);
  const std::size_t link = word.find("und");
  if (link == word.npos) return {};
  const auto unit = small.find(word.substr(0, link)), ten = tens.find(word.substr(link + 3));
  if (unit == small.end() || ten == tens.end() || unit->second == 0 || unit->second > 9) return {};
  return ten->second + unit->second;
}

bool is_german_ordinal(const std::string& end) {
  for (const char* ending : {"te", "ter", "tes", "ten", "tem"})
    if (end == ending || end == std::string("s") + ending) return true;
  return false;
}

/// "Hunderte" are any number.
bool is_german_plural(const std::string& number, const std::string& end) {
  return end[0] == 'e' && (ends_with(number, "hundert") || ends_with(number, "tausend"));
}

std::optional<NumberWord> in_german(std::string word) {
  static const std::map<std::string, NumberWord> scales{
      {"dutzend", {12, Kind::scale}},          {"hundert", {hundred, Kind::scale}},
      {"tausend", {thousand, Kind::scale}},    {"million", {million, Kind::scale}},
      {"millionen", {million, Kind::plural}},  {"milliarde", {billion, Kind::scale}},
      {"milliarden", {billion, Kind::plural}}, {"billion", {trillion, Kind::scale}},
      {"billionen", {trillion, Kind::plural}}};
  for (const auto& [from, to] : {std::pair("ü", "ue"), std::pair("ö", "oe"), std::pair("ß", "ss")})
    replace(word, from, to);
  if (const auto found = scales.find(word); found != scales.end()) return found->second;
  if (const Value value = german_value(word)) return NumberWord{*value, Kind::cardinal};
  for (std::size_t size = word.size(); size-- > 1;) {
    const std::string number = word.substr(0, size), end = word.substr(size);
    const Value value = german_value(number);
    if (!value || *value < first_large || is_german_plural(number, end)) continue;
    return NumberWord{*value, is_german_ordinal(end) ? Kind::ordinal : Kind::longer};
  }
  return {};
}

}  // namespace

bool counts_in(const std::string& language) { return language == "en" || language == "de"; }

std::optional<NumberWord> number_word(const std::string& word, const std::string& language) {
  constexpr std::size_t longest = 64;  // bytes; for longer ones each beginning would take its time
  if (word.size() > longest || !counts_in(language)) return {};
  return language == "en" ? in_english(word) : in_german(word);
}

}  // namespace gradus
