#include "app/answers/answer.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/answers/translation_json.hpp"

namespace gradus {
namespace {

std::string numbered_json(std::size_t number, const nlohmann::ordered_json& rest) {
  nlohmann::ordered_json json{{"line", number}};
  json.update(rest);
  return json_line(json) + '\n';
}

std::string pharaoh(const TranslatedText& text) {
  std::string pairs;
  for (const auto& [source, target] : word_alignment(text)) {
    pairs += (pairs.empty() ? "" : " ") + std::to_string(source) + '-' + std::to_string(target);
  }
  return pairs;
}

}  // namespace

std::string answer(const TranslateRequest& request, std::size_t number, const std::string& source,
                   const std::vector<TranslatedText>& best, const std::vector<TranslationWarning>& warnings) {
  if (request.json) return numbered_json(number, translation_json(source, best, warnings));
  std::string text;
  for (const TranslatedText& t : best) {
    if (request.options.n_best > 1) text += std::to_string(number) + '\t';
    char score[32];
    std::snprintf(score, sizeof score, "%.4f\t", t.score);
    if (request.with_scores) text += score;
    text += t.text;
    if (request.alignment) text += '\t' + pharaoh(t);
    text += '\n';
  }
  return text;
}

std::string answer_to_fault(const TranslateRequest& request, std::size_t number, const std::string& fault) {
  if (request.json) return numbered_json(number, error_json(fault));
  return answer(request, number, "", {TranslatedText{}}, {});
}

}  // namespace gradus
