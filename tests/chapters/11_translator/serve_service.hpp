#pragma once
/// \file
/// The service of `gradus serve`, asked without a socket.

#include <nlohmann/json.hpp>
#include <set>

#include "11_translator/translator/attention_record.hpp"
#include "app/serve/translate_service.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/search_option_rows.hpp"

namespace gradus::test {

using Json = nlohmann::ordered_json;

inline std::vector<ServedModel> both() {
  return {{{"en-de", "English → German", {"A dog."}}, bundled()}, {{"de-en", "back"}, bundled("de-en")}};
}

inline TranslateService& service() {
  static TranslateService one(both(), {{}, 1000, 2, 4}, "127.0.0.1");
  return one;
}

inline HttpRequest request(const std::string& method, const std::string& path) {
  HttpRequest r;
  r.method = method, r.path = path, r.host = "localhost:8080", r.client = "127.0.0.1";
  return r;
}

/// The answer to GET.
inline HttpAnswer got(const std::string& path, const std::string& query = "", TranslateService& from = service()) {
  HttpRequest r = request("GET", path);
  r.query = query;
  const auto answer = from.answer_to_head(r);
  REQUIRE(answer.has_value());
  return *answer;
}

/// The answer to POST; the head is checked before the body.
inline HttpAnswer posted(const std::string& body, TranslateService& to = service()) {
  HttpRequest r = request("POST", "/translate");
  r.content_type = "application/json";
  if (const auto refused = to.answer_to_head(r)) return *refused;
  r.body = body;
  return to.answer(r);
}

inline std::string header(const HttpAnswer& answer, const std::string& name) {
  for (const auto& [key, value] : answer.headers) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace gradus::test
