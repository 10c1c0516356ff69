// The answers of `gradus serve`, without a socket.

#include <nlohmann/json.hpp>

#include "11_translator/program/serve/translate_service.hpp"
#include "11_translator/translator/attention_record.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/search_option_rows.hpp"

using namespace gradus;
using namespace gradus::test;
using Json = nlohmann::ordered_json;

namespace {

std::vector<ServedModel> both() {
  return {{{"en-de", "English → German", {"A dog."}}, bundled()}, {{"de-en", "back"}, bundled("de-en")}};
}

TranslateService& service() {
  static TranslateService one(both(), {{}, 1000, 2, 4}, "127.0.0.1");
  return one;
}

HttpRequest request(const std::string& method, const std::string& path) {
  HttpRequest r;
  r.method = method, r.path = path, r.host = "localhost:8080", r.client = "127.0.0.1";
  return r;
}

/// The answer to GET.
HttpAnswer got(const std::string& path, const std::map<std::string, std::string>& query = {},
               TranslateService& from = service()) {
  HttpRequest r = request("GET", path);
  r.query = query;
  const auto answer = from.answer_to_head(r);
  REQUIRE(answer.has_value());
  return *answer;
}

/// The answer to POST; the head is checked before the body.
HttpAnswer posted(const std::string& body, TranslateService& to = service()) {
  HttpRequest r = request("POST", "/translate");
  r.content_type = "application/json";
  if (const auto refused = to.answer_to_head(r)) return *refused;
  r.body = body;
  return to.answer(r);
}

std::string header(const HttpAnswer& answer, const std::string& name) {
  for (const auto& [key, value] : answer.headers) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace

TEST_CASE("serve: each line of a text is what translate --json prints") {
  const Playground place("serve-json");
  const std::string text = "A dog runs through the snow.\n\nTwo men are cooking.\n";
  for (const std::string n : {"1", "3"}) {
    const Result printed = gradus_program(place, "translate --json --beam-size 4 --n-best " + n, text);
    Json expected = Json::array();
    for (const std::string& line : split_lines(printed.out, "out")) expected.push_back(Json::parse(line));
    REQUIRE(expected.size() == 3);
    const HttpAnswer answer = posted(Json{{"text", text}, {"beam", 4}, {"n_best", std::stoi(n)}}.dump());
    CHECK(answer.status == 200);
    CHECK(answer.type == "application/json");
    CHECK(Json::parse(answer.body) == Json{{"direction", "en-de"}, {"sentences", expected}});
    CHECK(got("/translate", {{"text", text}, {"beam", "4"}, {"n_best", n}}).body == answer.body);
  }
  CHECK(Json::parse(posted(R"({"text": ""})").body) == Json{{"direction", "en-de"}, {"sentences", Json::array()}});
}

TEST_CASE("serve: attention and candidates are those of the best translation") {
  const std::string line = lines.target[0];
  const HttpAnswer answer =
      posted(Json{{"text", line}, {"direction", "de-en"}, {"attention", true}, {"explain", true}}.dump());
  const Json json = Json::parse(answer.body);
  CHECK(json.at("direction") == "de-en");
  const Json& one = json.at("sentences").at(0);
  TranslateOptions options;
  options.with_tokens = true;
  const TranslatedText best = bundled("de-en").translate({line}, options).front().front();
  const AttentionMaps maps = bundled("de-en").attention(line, {}).cross;
  const Json& attention = one.at("attention");
  CHECK(attention.at("layers") == maps.layers);
  CHECK(attention.at("heads") == maps.heads);
  REQUIRE(attention.at("row_words").size() == best.tokens.size());
  REQUIRE(attention.at("column_words").size() == best.source_tokens.size());
  CHECK(attention.at("row_words").back().is_null());
  CHECK(attention.at("column_words").back().is_null());
  CHECK(attention.at("column_words")[1] == best.source_tokens[1].word);
  CHECK(attention.at("row_words")[1] == best.tokens[1].word);
  REQUIRE(maps.layers > 1);
  double greatest = 0;
  for (std::size_t i = 0; i < maps.rows.size(); ++i) {
    for (std::size_t j = 0; j < maps.columns.size(); ++j) {
      double mean = 0;
      for (std::size_t h = 0; h < maps.heads; ++h) {
        mean += maps.at(maps.layers - 1, h, i, j) / static_cast<double>(maps.heads);
        const double shown = attention.at("weights")[0][h][i][j];
        greatest = std::max(greatest, std::abs(shown - maps.at(0, h, i, j)));
      }
      greatest = std::max(greatest, std::abs(attention.at("mean")[i][j].get<double>() - mean));
    }
  }
  CHECK(greatest < 6e-4);

  const Explanation e = bundled("de-en").explain(line, {});
  REQUIRE(one.at("steps").size() == e.steps.size());
  REQUIRE(e.steps.size() == one.at("tokens").size());
  for (std::size_t t = 0; t < e.steps.size(); ++t) {
    const Json& step = one.at("steps")[t];
    CHECK(step.at("text") == one.at("tokens")[t].at("text"));
    CHECK(step.at("probability") == e.steps[t].probability);
    REQUIRE(step.at("candidates").size() == e.steps[t].candidates.size());
    CHECK(step.at("candidates")[0].at("probability") == e.steps[t].candidates[0].second);
  }
  const Json plain = Json::parse(posted(R"({"text": "A dog."})").body).at("sentences").at(0);
  CHECK_FALSE(plain.contains("attention"));
  CHECK_FALSE(plain.contains("steps"));
}

TEST_CASE("serve: paths, methods, and the data about models and load") {
  CHECK(got("/").type == "text/html; charset=utf-8");
  CHECK(got("/page.js").type == "text/javascript; charset=utf-8");
  CHECK(Json::parse(got("/health").body) == Json{{"status", "ok"}, {"free_threads", 2}, {"free_places", 4}});
  const Json models = Json::parse(got("/models").body);
  CHECK(models.at("models").size() == 2);
  CHECK(models.at("models")[0] ==
        Json{{"direction", "en-de"}, {"title", "English → German"}, {"examples", {"A dog."}}});
  CHECK(models.at("limits") == Json{{"characters", 1000}, {"lines", 20}, {"beam", 10}});
  CHECK(got("/nowhere").status == 404);
  CHECK(got("/page.html").status == 404);
  const auto by = [](const std::string& method, const std::string& path) {
    const auto answer = service().answer_to_head(request(method, path));
    REQUIRE(answer.has_value());
    return *answer;
  };
  CHECK(by("HEAD", "/").status == 200);
  for (const char* path : {"/", "/models", "/health"}) {
    CHECK(by("POST", path).status == 405);
    CHECK(header(by("DELETE", path), "Allow") == "GET, HEAD");
  }
  CHECK(by("PUT", "/translate").status == 405);
  CHECK(header(by("PUT", "/translate"), "Allow") == "GET, HEAD, POST");
  CHECK(by("POST", "/translate").status == 415);
  const HttpAnswer unknown = posted(R"({"text": "A dog.", "direction": "en-fr"})");
  CHECK(unknown.status == 400);
  CHECK(Json::parse(unknown.body).at("error") == "there is no direction \"en-fr\"; there are en-de, de-en");
  CHECK(posted("{").status == 400);
  CHECK(got("/translate").status == 400);
  CHECK(Json::parse(service().refusal(413, "too long").body) == Json{{"error", "too long"}});
}

TEST_CASE("serve: another host or page gets nothing, but may link to the page") {
  for (const char* path : {"/", "/models", "/health", "/translate", "/nowhere"}) {
    HttpRequest r = request("GET", path);
    r.host = "evil.example";
    CHECK(service().answer_to_head(r).value().status == 403);
  }
  const auto across = [](const std::string& path) {
    HttpRequest r = request("GET", path);
    r.fetch_site = "cross-site", r.query = {{"text", "A dog."}};
    return service().answer_to_head(r).value().status;
  };
  CHECK(across("/") == 200);
  CHECK(across("/translate") == 403);
  CHECK(across("/models") == 403);
  HttpRequest r = request("POST", "/translate");
  r.content_type = "application/json", r.origin = "http://evil.example";
  CHECK(service().answer_to_head(r).value().status == 403);
}

TEST_CASE("serve: too many requests of one client, and too many at a time") {
  TranslateService few(both(), {{}, 2, 1, 0}, "127.0.0.1");
  const std::string body = R"({"text": "A dog."})";
  CHECK(posted(body, few).status == 200);
  CHECK(got("/translate", {{"text", "A dog."}}, few).status == 200);
  const HttpAnswer late = posted(body, few);
  CHECK(late.status == 429);
  CHECK(std::stoul(header(late, "Retry-After")) <= 30);
  CHECK(std::stoul(header(late, "Retry-After")) > 0);
  CHECK(got("/health", {}, few).status == 200);
  HttpRequest other = request("GET", "/translate");
  other.client = "127.0.0.2", other.query = {{"text", "A dog."}};
  CHECK(few.answer_to_head(other).value().status == 200);

  TranslateService none(both(), {{}, 1000, 0, 0}, "127.0.0.1");  // as if all threads computed
  const HttpAnswer full = posted(body, none);
  CHECK(full.status == 503);
  CHECK(header(full, "Retry-After") == "1");
}
