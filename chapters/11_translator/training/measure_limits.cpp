#include "11_translator/training/measure_limits.hpp"

#include <algorithm>
#include <map>

#include "11_translator/translator/translation_warnings.hpp"
#include "11_translator/warnings/limits.hpp"
#include "11_translator/warnings/spoken_numbers.hpp"
#include "11_translator/warnings/text_numbers.hpp"
#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

// A warning is muted if it is given to more than this share of the references: of those with a number, or of all.
constexpr double most_with_numbers = 0.2, most_of_all = 0.05;
constexpr std::size_t fewest = 3;  // of any kind: one odd reference is no rule

/// In digits or, of a known language, in words.
bool has_numbers(const std::string& text, const std::string& language) {
  const auto spoken = spoken_numbers(text, language);
  return !text_numbers(text, {}).empty() ||
         std::any_of(spoken.begin(), spoken.end(), [](const SpokenNumber& n) { return n.is_counted; });
}

bool too_many(std::size_t count, std::size_t all, double share) {
  return count >= fewest && static_cast<double>(count) > share * static_cast<double>(all);
}

}  // namespace

double hesitant_limit(std::vector<JudgedTranslation> all, double unusual_below) {
  if (all.empty()) return unusual_below;
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.token_log_prob < b.token_log_prob; });
  double mean = 0, sum = 0;
  for (const JudgedTranslation& t : all) mean += t.score / static_cast<double>(all.size());
  double limit = std::min(all.front().token_log_prob, unusual_below);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    sum += all[i].score;
    if (sum / static_cast<double>(i + 1) <= worse_share * mean) limit = all[i + 1].token_log_prob;
  }
  return std::min(limit, hesitant_at_most);
}

std::vector<std::string> muted_warnings(const LinePairs& pairs, const TextLanguages& languages) {
  std::map<std::string, std::size_t> count;
  std::size_t with_numbers = 0;
  for (std::size_t i = 0; i < pairs.source.size(); ++i) {
    TranslatedText reference;
    reference.text = pairs.target[i];
    reference.languages = languages;
    for (const TranslationWarning& warning : translation_warnings("", pairs.source[i], reference))
      ++count[warning.code];
    const bool has_signs_only = !has_letters(pairs.source[i]);
    if (has_signs_only && pairs.source[i] != pairs.target[i]) ++count[translates_signs];
    with_numbers +=
        has_numbers(pairs.source[i], languages.source) || has_numbers(pairs.target[i], languages.target) ? 1 : 0;
  }
  std::vector<std::string> muted;
  for (const auto& [code, times] : count) {
    const bool is_of_numbers = code == "numbers";
    if (too_many(times, is_of_numbers ? with_numbers : pairs.source.size(),
                 is_of_numbers ? most_with_numbers : most_of_all))
      muted.push_back(code);
  }
  return muted;
}

SeenPieces source_pieces(const PairsView& pairs, std::size_t vocabulary) {
  SeenPieces seen(vocabulary);
  const auto see = [&](std::int32_t id) {  // only one of the two forms has end marks
    if (id >= Tokenizer::specials.count) seen[static_cast<std::size_t>(id)] = true;
  };
  if (const IdPairs* const lists = pairs.vectors()) {
    for (const auto& sentence : lists->source) std::for_each(sentence.begin(), sentence.end(), see);
  } else {
    const auto& ids = pairs.source_rows().ids;
    std::for_each(ids.data, ids.data + ids.extent[0], see);
  }
  return seen;
}

}  // namespace gradus
