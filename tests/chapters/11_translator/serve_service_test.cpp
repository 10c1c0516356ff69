// The answers of `gradus serve`, without a socket.

#include "chapters/11_translator/serve_service.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("serve: parameters and bodies that would not be read are refused") {
  const auto answer = [](const std::string& method, const std::string& path, const std::string& query,
                         bool has_body) {
    HttpRequest r = request(method, path);
    r.query = query, r.has_body = has_body, r.content_type = "application/json";
    const auto refused = service().answer_to_head(r);
    return refused ? std::to_string(refused->status) + " " + Json::parse(refused->body).value("error", "") : "read";
  };
  CHECK(answer("POST", "/translate", "", true) == "read");
  CHECK(answer("POST", "/translate", "direction=de-en&x", true) ==
        "400 POST /translate, whose members are in its body, takes no parameters in its address, and this one has "
        "\"direction\", \"x\"");
  CHECK(answer("GET", "/translate", "text=a", true) == "400 a GET request may have no body; send it with POST");
  CHECK(answer("GET", "/models", "text=a", false) ==
        "400 /models takes no parameters in its address, and this one has \"text\"");
  for (const char* path : {"/", "/page.mjs", "/health"})
    CHECK(answer("GET", path, "a", false).rfind("400 ", 0) == 0);
}

TEST_CASE("serve: a client that is gone gets no work done") {
  HttpRequest r = request("GET", "/translate");
  r.query = "text=A+dog.";
  int asked = 0;
  r.is_gone = [&] { return ++asked > 3; };  // during the search
  CHECK(service().answer_to_head(r).value().status == 499);
  CHECK(asked == 4);
}

TEST_CASE("serve: paths, methods, and the data about models and load") {
  CHECK(got("/").type == "text/html; charset=utf-8");
  CHECK(got("/page.mjs").type == "text/javascript; charset=utf-8");
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
    CHECK(header(by("DELETE", path), "Allow") == "GET, HEAD, OPTIONS");
    CHECK(header(by("OPTIONS", path), "Allow") == "GET, HEAD, OPTIONS");
  }
  for (const char* method : {"PUT", "DELETE", "TRACE", "PATCH"}) CHECK(by(method, "/translate").status == 405);
  CHECK(header(by("PUT", "/translate"), "Allow") == "GET, HEAD, OPTIONS, POST");
  for (const char* path : {"/translate", "*"}) {
    CHECK(by("OPTIONS", path).status == 200);
    CHECK(header(by("OPTIONS", path), "Allow") == "GET, HEAD, OPTIONS, POST");
    CHECK(by("OPTIONS", path).body.empty());
  }
  CHECK(by("OPTIONS", "/nowhere").status == 404);
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
    r.method = "OPTIONS";
    CHECK(service().answer_to_head(r).value().status == 403);
  }
  const auto across = [](const std::string& path) {
    HttpRequest r = request("GET", path);
    r.fetch_site = "cross-site";
    return service().answer_to_head(r).value().status;
  };
  CHECK(across("/") == 200);
  CHECK(across("/health") == 200);  // for programs that watch the server
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
  CHECK(got("/translate", "text=A+dog.", few).status == 200);
  const HttpAnswer late = posted(body, few);
  CHECK(late.status == 429);
  CHECK(std::stoul(header(late, "Retry-After")) <= 30);
  CHECK(std::stoul(header(late, "Retry-After")) > 0);
  CHECK(Json::parse(late.body).at("error") ==
        "more than 2 requests a minute; ask again in " + header(late, "Retry-After") + " s");
  CHECK(got("/health", "", few).status == 200);
  HttpRequest other = request("GET", "/translate");
  other.client = "127.0.0.2", other.query = "text=A+dog.";
  CHECK(few.answer_to_head(other).value().status == 200);

  TranslateService none(both(), {{}, 1000, 0, 0}, "127.0.0.1");  // as if all threads computed
  const HttpAnswer full = posted(body, none);
  CHECK(full.status == 503);
  CHECK(header(full, "Retry-After") == "1");
}
