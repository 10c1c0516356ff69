#include "11_translator/translator/translation_warnings.hpp"

#include <algorithm>

#include "11_translator/warnings/changed_numbers.hpp"
#include "11_translator/warnings/copied_spans.hpp"
#include "11_translator/warnings/repetition.hpp"
#include "11_translator/warnings/sentences.hpp"
#include "gradus/io/normal_text.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// As UTF-8, for functions that read characters.
std::string sound(const std::string& text) { return is_utf8(text) ? text : printable(text); }

/// Foreign text for a message: without control characters, cut if it is long.
std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 40;
  const std::u32string points = code_points(printable(text));
  return to_utf8(points.substr(0, longest)) + (points.size() > longest ? "..." : "");
}

std::string named(const std::string& text) { return '"' + shortened(text) + '"'; }

/// The first ones, and the number of the others.
std::string list(const std::vector<std::string>& all) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += (i == 0 ? "" : ", ") + all[i];
  return all.size() <= most ? text : text + " and " + std::to_string(all.size() - most) + " more";
}

std::string list_named(std::vector<std::string> all) {
  for (std::string& one : all) one = named(one);
  return list(all);
}

std::string list_short(std::vector<std::string> all) {
  for (std::string& one : all) one = shortened(one);
  return list(all);
}

std::string never_seen(const std::string& where, const TranslatedText& best) {
  if (!best.unknown.empty())
    return where + " has parts that the model has never read, " + list_named(best.unknown) +
           ", and cannot translate";
  if (!best.hesitant || best.in_parts.empty()) return "";
  return where + " has words that the model knows in parts only, " + list_named(best.in_parts) +
         "; it may have made up their translation";
}

std::string repeats(const std::string& where, const std::string& source, const std::string& translation,
                    const TextLanguages& languages) {
  const Repetition found = repetition(source, translation, languages.target);
  if (found.part.empty()) return "";
  const std::string times = found.times == 1 ? "" : " " + std::to_string(found.times) + " times running";
  const std::string word = found.word.empty() ? "" : " in " + named(found.word);
  return "the translation of " + where + " says " + named(found.part) + times + word + "; do not trust it";
}

std::string numbers(const std::string& where, const std::string& source, const std::string& translation,
                    const TextLanguages& languages) {
  const ChangedNumbers found = changed_numbers(source, translation, languages);
  if (found.lost.empty() && found.added.empty()) return "";
  const auto all_in = [](const std::string& text, const std::vector<std::string>& some) {
    return std::all_of(some.begin(), some.end(), [&](const std::string& n) { return text.find(n) != text.npos; });
  };
  if (found.lost.empty())
    return "the translation of " + where + " has " + list_short(found.added) +
           (all_in(source, found.added) ? " more often than its source" : ", which its source lacks") +
           "; compare its numbers";
  if (found.added.empty() && all_in(translation, found.lost))
    return "the translation of " + where + " has " + list_short(found.lost) +
           " less often than its source; compare its numbers";
  return "the translation of " + where + " lacks " + list_short(found.lost) +
         (found.added.empty() ? "" : " and has " + list_short(found.added) + " instead") + "; compare its numbers";
}

std::string several_sentences(const std::string& where, const std::string& source) {
  const std::size_t count = sentences_in(with_words(source, copied_spans(source)));
  if (count < 2) return "";
  return where + " holds " + std::to_string(count) +
         " sentences, and the model has learnt to translate one at a time; give each a line of its own, "
         "or translate paragraphs (--paragraphs)";
}

}  // namespace

std::vector<TranslationWarning> translation_warnings(const std::string& where, const std::string& source,
                                                     const TranslatedText& best) {
  std::vector<TranslationWarning> warnings;
  if (best.copied) return warnings;
  const auto add = [&](const char* code, const std::string& text) {
    const bool is_muted = std::find(best.muted.begin(), best.muted.end(), code) != best.muted.end();
    if (!text.empty() && !is_muted) warnings.push_back({code, text});
  };
  if (best.cut) add("cut", where + " is longer than the model reads; its end was left out");
  if (best.unusual) add("unsure", "the model is unsure of " + where + "; do not trust its translation");
  if (best.unfinished)
    add("unfinished",
        "the translation of " + where + " stops at the most tokens that it may have; its end is missing");
  const std::string read = normal_text(sound(source)), output = normal_text(sound(best.text));
  add("never-seen", never_seen(where, best));
  add("repetition", repeats(where, read, output, best.languages));
  add("numbers", numbers(where, read, output, best.languages));
  add("several-sentences", several_sentences(where, read));
  return warnings;
}

}  // namespace gradus
