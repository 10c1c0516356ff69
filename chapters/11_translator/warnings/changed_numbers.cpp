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

using Numbers = std::vector<TextNumber>;
using Texts = std::vector<std::string>;

constexpr NumberReading readings[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/// The numbers of `all` that `others` has less often, in order.
Numbers without(const Numbers& all, Numbers others) {
  Numbers rest;
  for (const TextNumber& one : all) {
    const auto found =
        std::find_if(others.begin(), others.end(), [&](const TextNumber& o) { return o.value == one.value; });
    if (found == others.end()) {
      rest.push_back(one);
    } else {
      others.erase(found);
    }
  }
  return rest;
}

bool is_hour(const TextNumber& number) {
  return number.value.size() <= 2 && number.value.find_first_not_of("0123456789") == std::string::npos;
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
          return is_hour(o) && std::abs(std::stoi(o.value) - std::stoi(hour->value)) == 12;
        });
    if (later == others.end()) {
      ++hour;
      continue;
    }
    others.erase(later);
    hour = some.erase(hour);
  }
}

/// Drops the numbers that the other text says. Those in parts of decimals need a word each: "zwei Meilen" says one part of 2.2. No word
/// says 3D.
void drop_said(Numbers& numbers, bool in_parts, const NumberWords& words, bool with_articles) {
  std::map<std::string, std::size_t> used;
  const auto is_said = [&](const TextNumber& n) {
    if (n.marks.is_name) return false;
    if (n.marks.is_ordinal) return words.say_ordinal(n.value);
    const bool is_small = small_value(n.value) >= 0;  // larger ones share their words
    return in_parts ? used[is_small ? n.value : ""]++ < words.times(n.value, with_articles)
                    : words.say(n.value, with_articles);
  };
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), is_said), numbers.end());
}

struct Change {
  Numbers lost, added;
  std::size_t size() const { return lost.size() + added.size(); }
};

/// The numbers whose values only one of the texts has.
Change changed_values(const std::string& source, const std::string& translation, const TextLanguages& languages) {
  const NumberWords source_words(source, languages.source), words(translation, languages.target);
  const bool afternoon = says_afternoon(source) || says_afternoon(translation);
  Change fewest;
  bool is_first = true;
  for (const NumberReading& of_source : readings) {
    const Numbers before = text_numbers(source, of_source);
    for (const NumberReading& of_translation : readings) {
      const Numbers after = text_numbers(translation, of_translation);
      Change found{without(before, after), without(after, before)};
      if (afternoon) drop_afternoon(found.lost, found.added);
      drop_said(found.lost, !of_source.fractions, words, true);
      drop_said(found.added, !of_translation.fractions, source_words, false);  // "a dog" says nothing about 1
      if (found.size() == 0) return {};
      // No message takes a decimal number apart.
      if (!of_source.fractions || !of_translation.fractions) continue;
      if (is_first || found.size() < fewest.size()) fewest = found;
      is_first = false;
    }
  }
  return fewest;
}

/// The numbers of `all`, with a mark that the other text says nowhere.
Numbers without_marks(const Numbers& all, const Numbers& others, const std::string& other_text) {
  const SaidMarks said(other_text);
  const auto has = [](const TextNumber& n, const std::string& mark) {
    return std::find(n.marks.names.begin(), n.marks.names.end(), mark) != n.marks.names.end();
  };
  Numbers found;
  for (const TextNumber& n : all) {
    const bool is_lost = std::any_of(n.marks.names.begin(), n.marks.names.end(), [&](const std::string& mark) {
      const auto has_mark = [&](const TextNumber& o) { return has(o, mark); };
      return !said.say(mark) && std::none_of(others.begin(), others.end(), has_mark);
    });
    if (is_lost) found.push_back(n);
  }
  return found;
}

/// As the text has them, each once.
Texts written(const Numbers& some, const Numbers& more) {
  Texts texts;
  for (const Numbers* numbers : {&some, &more}) {
    for (const TextNumber& n : *numbers)
      if (std::find(texts.begin(), texts.end(), n.marks.written) == texts.end()) texts.push_back(n.marks.written);
  }
  return texts;
}

}  // namespace

ChangedNumbers changed_numbers(const std::string& source, const std::string& translation,
                               const TextLanguages& languages) {
  const Numbers before = text_numbers(source, {}), after = text_numbers(translation, {});
  if (before.empty() && after.empty()) return {};
  const Change values = changed_values(source, translation, languages);
  return {written(values.lost, without_marks(before, after, translation)),
          written(values.added, without_marks(after, before, source))};
}

}  // namespace gradus
