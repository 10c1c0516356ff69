#include "app/answers/warnings.hpp"

#include <cstddef>
#include <filesystem>

#include "app/terminal/console.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {

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
