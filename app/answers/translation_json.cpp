#include "app/answers/translation_json.hpp"

#include <nlohmann/json.hpp>

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// Adds the data of one translation to `json`.
void add_tokens(Json& json, const TranslatedText& t) {
  Json tokens = Json::array(), alignment = Json::array();
  for (const TargetToken& token : t.tokens) {
    tokens.push_back({{"text", token.text}, {"log_prob", token.log_prob}});
    alignment.push_back(token.source);
  }
  json["tokens"] = tokens;
  json["alignment"] = alignment;
  json["word_alignment"] = word_alignment(t);
}

Json scores(const TranslatedText& t) {
  return {{"text", t.text}, {"score", t.score}, {"token_log_prob", t.token_log_prob}};
}

}  // namespace

Json translation_json(const std::string& source, const std::vector<TranslatedText>& best,
                      const std::vector<TranslationWarning>& warnings) {
  Json json{{"source", source}};
  json.update(scores(best.front()));
  json["source_tokens"] = Json::array();
  for (const SourceToken& token : best.front().source_tokens) json["source_tokens"].push_back(token.text);
  add_tokens(json, best.front());
  json["warnings"] = Json::array();
  for (const TranslationWarning& w : warnings) json["warnings"].push_back({{"code", w.code}, {"text", w.text}});
  if (best.size() == 1) return json;
  for (const TranslatedText& t : best) {
    Json one = scores(t);
    add_tokens(one, t);
    json["n_best"].push_back(one);
  }
  return json;
}

Json error_json(const std::string& why) { return {{"source", ""}, {"text", ""}, {"error", why}}; }

std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace gradus
