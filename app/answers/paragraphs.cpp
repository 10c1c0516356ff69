#include "app/answers/paragraphs.hpp"

#include <cstddef>

namespace gradus {

KeepsCopied keeps_copied(const Translator& translator, const TranslateOptions& options) {
  return [&translator, options](const std::string& sentence, const std::vector<std::string>& copied) {
    const std::string translation = translator.translate({sentence}, options).front().front().text;
    return has_copied(copied, sentence, translation);
  };
}

std::vector<TranslatedParagraph> translate_paragraphs(const Translator& translator, RunningText& text,
                                                      const std::vector<std::string>& lines,
                                                      const std::vector<std::string>& names,
                                                      const TranslateOptions& options) {
  const KeepsCopied keeps = keeps_copied(translator, options);
  std::vector<std::vector<TextPart>> all;
  std::vector<std::string> sources;
  for (const std::string& line : lines) {
    all.push_back(text.parts(line, keeps));
    for (const TextPart& part : all.back())
      if (!part.is_copied) sources.push_back(part.text);
  }
  const auto found = translator.translate(sources, options);
  std::vector<TranslatedParagraph> paragraphs;
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    TranslatedParagraph paragraph;
    for (TextPart& part : all[i]) {
      if (part.is_copied) continue;
      const TranslatedText& best = found[next++].front();
      paragraph.warnings.push_back(translation_warnings(names[i], part.text, best));
      part.text = best.text;
    }
    paragraph.text = joined_parts(all[i]);
    paragraphs.push_back(paragraph);
  }
  return paragraphs;
}

}  // namespace gradus
