#pragma once
/// \file
/// The pages and answers of `gradus serve`:
///
///     GET /            the page and its files (page_files.hpp)
///     GET /models      the directions, with examples, and the limits
///     GET, POST /translate   (translate_query.hpp, translate_answer.hpp)
///     GET /health      {"status": "ok", "free_threads", "free_places"}: how many requests would be computed at once, and how
///                      many more could wait
///     OPTIONS          of each of these, and *: the methods, in the header Allow
///
/// A refused request gets {"error": "..."} and a status. 400: no JSON, no text, or a member or parameter that is
/// unknown, comes twice, or stands where it is not read. 403: another page or another Host. 404, 405: no such path or method. 413: too
/// long, or the answer would be. 415: wrong type of body. 429: too many requests; 503: too many requests wait, or there is too little
/// memory; both with Retry-After. 500: the model failed.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"
#include "app/models/known_models.hpp"
#include "app/serve/compute_turns.hpp"
#include "app/serve/http_message.hpp"
#include "app/serve/rate_limit.hpp"
#include "app/serve/translate_query.hpp"

namespace gradus {

struct ServedModel {
  KnownModel known;  ///< its name is the direction
  Translator translator;
};

struct ServiceLimits {
  QueryLimits query;
  std::size_t requests_per_minute = 120;  ///< to /translate, from one client
  std::size_t threads = 1;                ///< requests that are computed at the same time
  std::size_t waiting = 16;               ///< most requests that wait for their turn
  std::size_t answer_bytes = 16'000'000;  ///< of one answer
};

class TranslateService final : public HttpService {
 public:
  /// Needs at least one model; `host` is the address that the server listens at.
  TranslateService(std::vector<ServedModel> models, const ServiceLimits& limits, std::string host);

  std::optional<HttpAnswer> answer_to_head(const HttpRequest& request) override;
  HttpAnswer answer(const HttpRequest& request) override;
  HttpAnswer refusal(int status, const std::string& why) override;

 private:
  std::optional<HttpAnswer> look_at(const HttpRequest& request);
  void require_rate(const HttpRequest& request);
  HttpAnswer translate(const TranslateQuery& query, const std::function<bool()>& is_gone);
  const ServedModel& model_of(const std::string& direction) const;
  nlohmann::ordered_json health_json();
  nlohmann::ordered_json models_json() const;

  std::vector<ServedModel> models_;
  ServiceLimits limits_;
  std::string host_;
  RateLimit rate_;
  ComputeTurns turns_;
};

}  // namespace gradus
