#include "11_translator/warnings/changed_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>

#include "11_translator/warnings/number_words.hpp"
#include "11_translator/warnings/text_numbers.hpp"
#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<std::string>;

constexpr NumberReading readings[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/// The numbers of `all` that `others` has less often, in order.
Numbers without(const Numbers& all, Numbers others) {
  Numbers rest;
  for (const std::string& one : all) {
    const auto found = std::find(others.begin(), others.end(), one);
    if (found == others.end()) {
      rest.push_back(one);
    } else {
      others.erase(found);
    }
  }
  return rest;
}

bool is_hour(const std::string& number) {
  return number.size() <= 2 && number.find_first_not_of("0123456789") == number.npos;
}

bool says_afternoon(const std::string& text) {
  const std::string small = lower_case(text);
  for (const char* mark : {"pm", "p.m", "p. m"}) {
    const std::size_t at = small.find(mark);
    if (at != small.npos && at > 0 && (small[at - 1] == ' ' || (small[at - 1] >= '0' && small[at - 1] <= '9')))
      return true;
  }
  return false;
}

/// Removes 3 from one list and 15 from the other, in either order.
void drop_afternoon(Numbers& some, Numbers& others) {
  for (auto hour = some.begin(); hour != some.end();) {
    const auto later =
        !is_hour(*hour) ? others.end() : std::find_if(others.begin(), others.end(), [&](const auto& o) {
          return is_hour(o) && std::abs(std::stoi(o) - std::stoi(*hour)) == 12;
        });
    if (later == others.end()) {
      ++hour;
      continue;
    }
    others.erase(later);
    hour = some.erase(hour);
  }
}

template <class Said>
void drop(Numbers& numbers, const Said& said) {
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), said), numbers.end());
}

/// Drops the numbers that the other text says. Those in parts of decimals need a word each: "zwei Meilen" says one part of 2.2.
void drop_said(Numbers& numbers, bool in_parts, const NumberWords& words, bool with_articles) {
  std::map<std::string, std::size_t> used;
  drop(numbers, [&](const std::string& n) {
    const bool is_small = small_value(n) >= 0;  // larger ones share their words
    return in_parts ? used[is_small ? n : ""]++ < words.times(n, with_articles) : words.say(n, with_articles);
  });
}

std::size_t size(const ChangedNumbers& numbers) { return numbers.lost.size() + numbers.added.size(); }

}  // namespace

ChangedNumbers changed_numbers(const std::string& source, const std::string& translation,
                               const TextLanguages& languages) {
  if (text_numbers(source, {}).empty() && text_numbers(translation, {}).empty()) return {};
  const NumberWords source_words(source, languages.source), words(translation, languages.target);
  const bool afternoon = says_afternoon(source) || says_afternoon(translation);
  ChangedNumbers fewest;
  bool is_first = true;
  for (const NumberReading& of_source : readings) {
    const Numbers before = text_numbers(source, of_source);
    for (const NumberReading& of_translation : readings) {
      const Numbers after = text_numbers(translation, of_translation);
      ChangedNumbers found{without(before, after), without(after, before)};
      if (afternoon) drop_afternoon(found.lost, found.added);
      drop_said(found.lost, !of_source.fractions, words, true);
      drop_said(found.added, !of_translation.fractions, source_words, false);  // "a dog" says nothing about 1
      if (size(found) == 0) return {};
      // No message takes a decimal number apart.
      if (!of_source.fractions || !of_translation.fractions) continue;
      if (is_first || size(found) < size(fewest)) fewest = found;
      is_first = false;
    }
  }
  return fewest;
}

}  // namespace gradus
