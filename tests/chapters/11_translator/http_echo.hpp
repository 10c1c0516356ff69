#pragma once
/// \file
/// A server whose service translates nothing.

#include <httplib.h>

#include <atomic>
#include <future>
#include <new>
#include <thread>

#include "app/serve/http_server.hpp"
#include "chapters/11_translator/http_client.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/util/process.hpp"

namespace gradus::test {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Answers with the request. /wait answers when it is allowed to.
class Echo : public HttpService {
 public:
  std::optional<HttpAnswer> answer_to_head(const HttpRequest& r) override {
    if (r.path == "/wait") {
      waiting.set_value();
      may_go.wait();
    }
    if (r.path == "/until-gone") {
      ++computing;
      const auto start = Patience::now();
      while (!r.is_gone() && Patience::now() - start < seconds(60)) std::this_thread::sleep_for(milliseconds(1));
      --computing;
    }
    if (r.path == "/half-a-second") {
      const auto start = Patience::now();
      while (Patience::now() - start < milliseconds(500)) gone_too_early = gone_too_early || r.is_gone();
    }
    if (r.method == "POST" && r.path == "/echo") return {};
    if (r.path == "/memory") throw std::bad_alloc();
    const std::string text = r.method + " " + r.path + " " + r.host + " " + r.client + " " + r.query + " " +
                             r.origin + " " + r.fetch_site + (r.has_body ? " with a body" : "");
    return HttpAnswer{200, "text/plain", text, {{"X-Own", "yes"}}};
  }
  HttpAnswer answer(const HttpRequest& r) override { return {200, "text/plain", r.content_type + ": " + r.body}; }
  HttpAnswer refusal(int status, const std::string& why) override { return {status, "text/plain", why}; }

  using Patience = std::chrono::steady_clock;
  std::atomic<int> computing{0};
  std::atomic<bool> gone_too_early{false};
  std::promise<void> waiting, go;
  std::shared_future<void> may_go = go.get_future().share();
};

struct Served {
  explicit Served(HttpLimits limits = {}) : server(echo, limits), port(server.start("127.0.0.1", 0)) {}
  httplib::Client client() const {
    httplib::Client one("127.0.0.1", port);
    one.set_read_timeout(60);
    return one;
  }
  std::string own() const { return "127.0.0.1:" + std::to_string(port); }

  Echo echo;
  HttpServer server;
  int port;
};

inline HttpLimits patient(milliseconds patience) {
  HttpLimits limits;
  limits.patience = patience;
  return limits;
}

}  // namespace gradus::test
