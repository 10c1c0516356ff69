#include "11_translator/warnings/changed_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>

#include "11_translator/warnings/number_grammar.hpp"
#include "11_translator/warnings/number_marks.hpp"
#include "11_translator/warnings/number_words.hpp"
#include "11_translator/warnings/text_numbers.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

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

/// The runs of letters and digits of a text, in lower case.
Texts parts_of(const std::u32string& text) {
  std::vector<std::u32string> runs(1);
  for (const char32_t c : text) {
    if (is_word_character(c)) {
      runs.back().push_back(c);
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  Texts parts;
  for (const std::u32string& run : runs) parts.push_back(lower_case(to_utf8(run)));
  return parts;
}

/// One of the two texts.
struct NumberedText {
  NumberedText(const std::string& its_text, const std::string& its_language)
      : text(its_text),
        language(its_language),
        characters(code_points(its_text)),
        parts(parts_of(characters)),
        words(its_text, its_language),
        said(its_text) {}

  NumberMarks marks(const TextNumber& n) const { return number_marks(characters, n.begin, n.end); }

  /// Whether the text has this name of small letters and digits, perhaps with hyphens or spaces in it: "3D", "F-16".
  bool has_name(const std::string& name) const {
    constexpr std::size_t most = 3;  // parts
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::string joined;
      for (std::size_t k = i; k < std::min(i + most, parts.size()); ++k) {
        joined += parts[k];
        if (joined == name) return true;
      }
    }
    return false;
  }

  const std::string &text, &language;
  std::u32string characters;
  Texts parts;  ///< runs of letters and digits, in lower case
  NumberWords words;
  SaidMarks said;
};

/// Drops the numbers of a side that the other one says. Those in parts of decimals need a word each, "zwei Meilen" says one part of 2.2, and
/// those of 4x4. No word says 3D.
void drop_said(Numbers& numbers, const NumberedText& side, bool in_parts, const NumberWords& words,
               bool with_articles) {
  std::map<std::string, std::size_t> used;
  const auto is_said = [&](const TextNumber& n) {
    const NumberMarks marks = side.marks(n);
    const bool has_own = small_value(n.value) >= 0 || words.knows_values();  // else larger ones share their words
    const bool any = in_parts || marks.is_joined
                         ? used[has_own ? n.value : ""]++ < words.times(n.value, with_articles)
                         : words.say(n.value, with_articles);
    return any && !marks.is_name && (!marks.is_ordinal || words.say_ordinal(n.value));
  };
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), is_said), numbers.end());
}

struct Change {
  Numbers lost, added;
  std::size_t size() const { return lost.size() + added.size(); }
};

/// The numbers whose values only one of the texts has.
Change changed_values(const NumberedText& source, const NumberedText& translation) {
  const bool afternoon = says_afternoon(source.text) || says_afternoon(translation.text);
  Change fewest;
  bool is_first = true;
  for (const NumberReading& of_source : readings) {
    const Numbers before = text_numbers(source.text, of_source);
    for (const NumberReading& of_translation : readings) {
      const Numbers after = text_numbers(translation.text, of_translation);
      Change found{without(before, after), without(after, before)};
      if (afternoon) drop_afternoon(found.lost, found.added);
      drop_said(found.lost, source, !of_source.fractions, translation.words, true);
      drop_said(found.added, translation, !of_translation.fractions, source.words, false);  // "a dog" says no 1
      if (found.size() == 0) return {};
      // No message takes a decimal number apart.
      if (!of_source.fractions || !of_translation.fractions) continue;
      if (is_first || found.size() < fewest.size()) fewest = found;
      is_first = false;
    }
  }
  return fewest;
}

/// The numbers that a text says in words, and the other one in no way, if the words of both are known.
Texts unsaid_words(const NumberedText& side, const NumberedText& other) {
  if (side.words.spoken().empty() || !other.words.is_known()) return {};
  std::set<std::string> values;
  for (const NumberReading& reading : readings)
    for (const TextNumber& n : text_numbers(other.text, reading)) values.insert(n.value);
  for (const SpokenNumber& n : spoken_numbers(other.text, side.language))
    values.insert(n.value);  // copied: "Big Ten"
  const auto is_said = [&](const std::string& n) { return values.count(n) != 0 || other.words.say(n); };
  Texts unsaid;
  for (const SpokenNumber& n : side.words.spoken()) {
    const bool has_parts = !n.parts.empty() && std::all_of(n.parts.begin(), n.parts.end(), is_said);
    const bool is_lost = n.is_counted && !is_said(n.value) && !has_parts;
    if (is_lost && std::find(unsaid.begin(), unsaid.end(), n.written) == unsaid.end()) unsaid.push_back(n.written);
  }
  return unsaid;
}

/// The numbers of `some`, and those of `all` with a mark that the other side says nowhere, as the text has them, each once.
Texts written(const NumberedText& side, const Numbers& some, const Numbers& all, const NumberedText& other,
              const Numbers& others) {
  std::set<std::string> marks_of_others, names;
  for (const TextNumber& n : others)
    for (const std::string& mark : other.marks(n).names) marks_of_others.insert(mark);
  Texts texts;
  const auto add = [&](const NumberMarks& marks) {
    if (names.insert(marks.written).second) texts.push_back(marks.written);
  };
  for (const TextNumber& n : some) add(side.marks(n));
  for (const TextNumber& n : all) {
    const NumberMarks marks = side.marks(n);
    const auto is_lost = [&](const std::string& mark) {
      return marks_of_others.count(mark) == 0 && !other.said.say(mark);
    };
    const bool has_other_name = !marks.name.empty() && !other.has_name(marks.name);
    if (has_other_name || std::any_of(marks.names.begin(), marks.names.end(), is_lost)) add(marks);
  }
  return texts;
}

}  // namespace

ChangedNumbers changed_numbers(const std::string& source, const std::string& translation,
                               const TextLanguages& languages) {
  const Numbers before = text_numbers(source, {}), after = text_numbers(translation, {});
  const bool are_in_words = counts_in(languages.source) || counts_in(languages.target);
  if (before.empty() && after.empty() && !are_in_words) return {};
  const NumberedText one(source, languages.source), other(translation, languages.target);
  const Change values = changed_values(one, other);
  const auto both = [](Texts some, const Texts& more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
  };
  return {both(written(one, values.lost, before, other, after), unsaid_words(one, other)),
          both(written(other, values.added, after, one, before), unsaid_words(other, one))};
}

}  // namespace gradus
