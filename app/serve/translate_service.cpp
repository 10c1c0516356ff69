#include "app/serve/translate_service.hpp"

#include <new>
#include <nlohmann/json.hpp>

#include "app/answers/translation_json.hpp"
#include "app/serve/page_files.hpp"
#include "app/serve/request_guard.hpp"
#include "app/serve/translate_answer.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// A refusal for now: the client may ask again after `seconds`.
struct Later : HttpError {
  Later(int its_status, std::size_t its_seconds, const std::string& message)
      : HttpError(its_status, message), seconds(its_seconds) {}
  std::size_t seconds;
};

HttpAnswer text_answer(const std::string& json, int status = 200) { return {status, "application/json", json}; }
HttpAnswer json_answer(const Json& json, int status = 200) { return text_answer(json_line(json), status); }

HttpAnswer error_answer(int status, const std::string& why) {
  return json_answer({{"error", printable(why)}}, status);
}

/// The result of `work`, or the answer for its error.
template <class F>
auto answered(F&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Later& later) {
    HttpAnswer answer = error_answer(later.status, later.what());
    answer.headers.emplace_back("Retry-After", std::to_string(later.seconds));
    return answer;
  } catch (const HttpError& error) {
    return error_answer(error.status, error.what());
  } catch (const std::bad_alloc&) {
    HttpAnswer answer = error_answer(503, "there is not enough memory for this");
    answer.headers.emplace_back("Retry-After", "1");
    return answer;
  } catch (const std::exception& error) {
    return error_answer(500, error.what());
  }
}

/// The methods of a path; "*" is the whole server. HEAD is answered as GET, without the body.
std::string methods_of(const std::string& path) {
  return path == "/translate" || path == "*" ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS";
}

/// The answer to OPTIONS, or to a method that the path does not take. No value for the others.
std::optional<HttpAnswer> answer_to_method(const HttpRequest& request) {
  const std::string allowed = methods_of(request.path);
  const bool asks = request.method == "OPTIONS";
  if (!asks && (", " + allowed + ",").find(", " + request.method + ",") != std::string::npos) return {};
  HttpAnswer answer = asks ? HttpAnswer{} : error_answer(405, request.path + " takes " + allowed);
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

/// What the server would not read, it refuses: a body of GET, and parameters of everything but GET /translate.
void require_one_place(const HttpRequest& request, bool is_translate) {
  const bool posted = request.method == "POST";
  if (!posted && request.has_body)
    throw HttpError(400, "a " + request.method + " request may have no body; send it with POST");
  if (!is_translate) require_no_parameters(request.query, request.path);
  if (posted) require_no_parameters(request.query, "POST " + request.path + ", whose members are in its body,");
}

}  // namespace

TranslateService::TranslateService(std::vector<ServedModel> models, const ServiceLimits& limits, std::string host)
    : models_(std::move(models)),
      limits_(limits),
      host_(std::move(host)),
      rate_(limits.requests_per_minute),
      turns_(limits.threads, limits.waiting) {}

HttpAnswer TranslateService::refusal(int status, const std::string& why) { return error_answer(status, why); }

std::optional<HttpAnswer> TranslateService::answer_to_head(const HttpRequest& request) {
  return answered([&] { return look_at(request); });
}

HttpAnswer TranslateService::answer(const HttpRequest& request) {
  return answered([&] { return translate(query_of_body(request.body, limits_.query), request.is_gone); });
}

std::optional<HttpAnswer> TranslateService::look_at(const HttpRequest& request) {
  require_own_host(request, host_);
  const bool is_translate = request.path == "/translate";
  const PageFile* const file = page_file(request.path);
  const bool is_data = request.path == "/models" || request.path == "/health" || request.path == "*";
  if (!is_translate && file == nullptr && !is_data)
    throw HttpError(404, "there is no " + quoted(request.path) + "; the page is /, translations are at /translate");
  if (auto answer = answer_to_method(request)) return answer;
  if (file == nullptr && request.path != "/health") require_own_page(request);
  require_one_place(request, is_translate);
  if (file != nullptr) return HttpAnswer{200, file->type, file->text};
  if (request.path == "/health") return json_answer(health_json());
  if (request.path == "/models") return json_answer(models_json());
  if (request.method == "POST") require_json_type(request);
  require_rate(request);
  if (request.method == "POST") return {};
  return translate(query_of_address(request.query, limits_.query), request.is_gone);
}

void TranslateService::require_rate(const HttpRequest& request) {
  const std::size_t seconds = rate_.wait_of(client_of(request.client));
  if (seconds == 0) return;
  throw Later(429, seconds,
              "more than " + std::to_string(limits_.requests_per_minute) + " requests a minute; ask again in " +
                  std::to_string(seconds) + " s");
}

const ServedModel& TranslateService::model_of(const std::string& direction) const {
  if (direction.empty()) return models_.front();
  std::string names;
  for (const ServedModel& model : models_) {
    if (model.known.name == direction) return model;
    names += (names.empty() ? "" : ", ") + model.known.name;
  }
  throw HttpError(400, "there is no direction " + quoted(direction) + "; there are " + names);
}

HttpAnswer TranslateService::translate(const TranslateQuery& query, const std::function<bool()>& is_gone) {
  const ServedModel& model = model_of(query.options.direction);
  const auto check = [&] {
    if (is_gone()) throw ClientGone();
  };
  const std::shared_ptr<void> turn = turns_.take(is_gone);
  check();
  if (turn == nullptr) throw Later(503, 1, "too many requests wait already; ask again in 1 s");
  return text_answer(translate_answer(model.translator, query, model.known.name, {limits_.answer_bytes, check}));
}

Json TranslateService::health_json() {
  const auto [threads, places] = turns_.free();
  return {{"status", "ok"}, {"free_threads", threads}, {"free_places", places}};
}

Json TranslateService::models_json() const {
  Json models = Json::array();
  for (const ServedModel& model : models_) {
    models.push_back(
        {{"direction", model.known.name}, {"title", model.known.title}, {"examples", model.known.examples}});
  }
  const QueryLimits& most = limits_.query;
  return {{"models", models},
          {"limits", {{"characters", most.characters}, {"lines", most.lines}, {"beam", most.beam}}}};
}

}  // namespace gradus
