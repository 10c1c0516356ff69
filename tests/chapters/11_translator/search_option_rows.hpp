#pragma once
/// \file
/// The common options of the commands that search, and the library's results for the same lines.

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "gradus/io/lines.hpp"

namespace gradus::test {

/// Sentences for which each option of the search changes a translation or a score of the bundled model.
inline const LinePairs lines{
    {"A dog runs through the snow.", "Two men are playing guitar on a stage in front of a large crowd.",
     "Several people are standing near trees at dusk.",
     "Several cyclists wait at a red traffic light in the rain."},
    {"Ein Hund läuft durch den Schnee.", "Zwei Männer spielen vor einer großen MENGE auf einer Bühne Gitarre.",
     "Mehrere Leute stehen bei Sonnenuntergang nahe bei Bäumen.",
     "Mehrere Radfahrer warten im REGEN an einer roten Ampel."}};

inline const Translator& bundled(const char* folder = "en-de") {
  static std::map<std::string, Translator> loaded;
  const auto found = loaded.find(folder);
  if (found != loaded.end()) return found->second;
  return loaded.emplace(folder, Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/" + folder))
      .first->second;
}

inline std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

inline const Translator& bundled_int8() {
  static const Translator one = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de",
                                                 DeviceChoice::cpu, SearchWeights::int8);
  return one;
}

/// The translations of all lines by weights of 8 bits. Their scores differ from those of float.
inline const std::vector<std::vector<TranslatedText>>& translated_int8() {
  static const auto all = bundled_int8().translate(lines.source, {});
  return all;
}

/// The translations of all lines, computed once for the same options.
inline const std::vector<std::vector<TranslatedText>>& translated(const TranslateOptions& o,
                                                                  const char* model = "en-de") {
  static std::map<std::string, std::vector<std::vector<TranslatedText>>> known;
  const std::string key = model + to_text(o);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known.emplace(key, bundled(model).translate(lines.source, o)).first->second;
}

inline std::vector<std::string> best_texts(const TranslateOptions& o) {
  std::vector<std::string> texts;
  for (const auto& n_best : translated(o)) texts.push_back(n_best.front().text);
  return texts;
}

/// Each option of the commands that search (TranslateOption): its words, and the library's form.
struct SearchRow {
  std::string option, words;
  std::function<void(TranslateOptions&)> change;
};

inline const std::vector<SearchRow> search_rows = {
    {"beam-size", "--beam-size 1", [](auto& o) { o.beam_size = 1; }},
    {"length-penalty", "--length-penalty 5", [](auto& o) { o.length_penalty = 5; }},
    {"max-length", "--max-length 6", [](auto& o) { o.max_length = 6; }},
    {"short-source", "--short-source 200", [](auto& o) { o.short_source = 200; }},
    {"threads", "--threads 3", [](auto& o) { o.threads = 3; }},
};

/// Adds the rows of --beam-size and the others. `judge` gets the words and the options; `shown` must differ from
/// the default's result, so that the judge sees the change.
inline void add_search_rows(std::vector<OptionRow>& rows,
                            const std::function<void(const std::string&, const TranslateOptions&)>& judge,
                            const std::function<std::string(const TranslateOptions&)>& shown) {
  const std::string usual = shown({});
  for (const SearchRow& row : search_rows) {
    rows.emplace_back(row.option, [row, judge, shown, usual] {
      TranslateOptions changed;
      row.change(changed);
      if (row.option != "threads") REQUIRE(shown(changed) != usual);
      judge(row.words, changed);
    });
  }
}

}  // namespace gradus::test
