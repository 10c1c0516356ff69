#include "11_translator/program/answers/warnings.hpp"

#include <filesystem>

#include "11_translator/program/terminal/console.hpp"

namespace gradus {

void warn_about(const std::vector<TranslationWarning>& warnings) {
  for (const TranslationWarning& warning : warnings) console().warn(warning.text);
}

bool is_name_of_file(const std::string& sentence) {
  std::error_code none;
  return std::filesystem::exists(sentence, none) && !std::filesystem::is_directory(sentence, none);
}

void warn_of_cut(const std::string& where) {
  TranslatedText text;
  text.cut = true;
  warn_about(translation_warnings(where, "", text));
}

void WarningList::add(const std::vector<TranslationWarning>& warnings) {
  for (const TranslationWarning& warning : warnings) {
    if (++count_[warning.code] <= most) console().warn(warning.text);
  }
}

void WarningList::end() {
  for (const auto& [code, count] : count_) {
    if (count <= most) continue;
    const std::string more = std::to_string(count - most);
    console().warn(more + " more lines have the warning \"" + code + "\"; --json names them all");
  }
}

}  // namespace gradus
