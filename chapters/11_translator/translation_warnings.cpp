#include "11_translator/translation_warnings.hpp"

namespace gradus {

std::vector<TranslationWarning> translation_warnings(const std::string& where, const std::string& /*source*/,
                                                     const TranslatedText& best) {
  std::vector<TranslationWarning> warnings;
  if (best.cut) warnings.push_back({"cut", where + " is longer than the model reads; its end was left out"});
  if (best.unusual)
    warnings.push_back({"unsure", "the model is unsure of " + where + "; do not trust its translation"});
  return warnings;
}

}  // namespace gradus
