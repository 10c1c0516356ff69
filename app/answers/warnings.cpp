#include "app/answers/warnings.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "app/terminal/console.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/normal_text.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
namespace {

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t") == line.npos; }

bool has_form_c(const std::string& line) {
  const bool is_ascii = std::all_of(line.begin(), line.end(), [](char c) { return c >= 0; });
  return is_ascii || form_c(code_points(line)) == line;
}

}  // namespace

void warn_about(const std::vector<TranslationWarning>& warnings) {
  for (const TranslationWarning& warning : warnings) console().warn(warning.text);
}

void warn_of_returns(const std::vector<std::vector<std::string>>& texts, const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string hint = hint_at_returns(texts[i], paths[i]);
    if (!hint.empty()) console().warn(hint);
  }
}

bool is_name_of_file(const std::string& sentence) {
  std::error_code none;
  return std::filesystem::exists(sentence, none) && !std::filesystem::is_directory(sentence, none);
}

void warn_of_references(const std::vector<std::vector<std::string>>& systems,
                        const std::vector<std::vector<std::string>>& references) {
  const std::size_t lines = references.front().size();
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < lines; ++i) {
    const auto has_none = [i](const auto& one) { return i < one.size() && is_blank(one[i]); };
    if (std::all_of(references.begin(), references.end(), has_none)) missing.push_back(i + 1);
  }
  if (!missing.empty()) {
    const std::string first = "line " + std::to_string(missing.front());
    console().warn((missing.size() == 1 ? first + " has"
                                        : plural(missing.size(), "line") + ", the first is " + first + ", have") +
                   " no text in any reference; translations there count as wrong");
  }
  for (std::size_t i = 0; i < lines; ++i) {
    const auto is_composed = [i](const auto& one) { return i >= one.size() || has_form_c(one[i]); };
    const bool one_form = std::all_of(references.begin(), references.end(), is_composed);
    if (std::all_of(systems.begin(), systems.end(), [&](const auto& one) { return is_composed(one) == one_form; }))
      continue;
    console().warn("line " + std::to_string(i + 1) +
                   ": translation and reference compose letters and accents in different ways (Unicode's normal "
                   "forms), so they "
                   "count as different letters");
    return;
  }
}

std::vector<TranslationWarning> warnings_of_cuts(const std::string& where, const TranslatedText& best) {
  TranslatedText cuts;
  cuts.cut = best.cut, cuts.unfinished = best.unfinished;
  return translation_warnings(where, "", cuts);
}

void WarningList::add(const std::vector<TranslationWarning>& warnings) {
  for (const TranslationWarning& warning : warnings) {
    if (++count_[warning.code] <= most) console().warn(warning.text);
  }
}

void WarningList::end(const std::string& where) {
  for (const auto& [code, count] : count_) {
    if (count <= most) continue;
    const std::size_t more = count - most;
    console().warn(plural(more, "more line") + (more == 1 ? " has" : " have") + " the warning \"" + code + "\"" +
                   where);
  }
}

}  // namespace gradus
