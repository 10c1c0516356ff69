#include <httplib.h>
#include <sys/socket.h>

#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <functional>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "11_translator/program/serve/connections.hpp"
#include "11_translator/program/serve/http_server.hpp"

namespace gradus {
namespace {

using std::chrono::milliseconds;

/// A thread for each connection; at the limit the accepting thread waits. The library's own queue has no limit.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  using Task = std::function<void()>;
  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue(Task()));  // bool since 0.14

  explicit ConnectionThreads(std::size_t count) : free_(count), pool_(count) {}

  Enqueued enqueue(Task connection) override {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] { return free_ > 0; });
    --free_;
    return pool_.enqueue([this, connection = std::move(connection)] {
      connection();
      const std::lock_guard<std::mutex> ended(mutex_);
      ++free_;
      wake_.notify_one();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t free_;
  httplib::ThreadPool pool_;
};

HttpRequest head_of(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  request.query.insert(from.params.begin(), from.params.end());
  request.host = from.get_header_value("Host");
  request.origin = from.get_header_value("Origin");
  request.fetch_site = from.get_header_value("Sec-Fetch-Site");
  request.content_type = from.get_header_value("Content-Type");
  request.client = from.remote_addr;
  return request;
}

void send(httplib::Response& to, const HttpAnswer& answer) {
  to.status = answer.status;
  to.set_content(answer.body, answer.type);
  for (const auto& [name, value] : answer.headers) to.set_header(name, value);
}

/// Pages and answers are for this client only, and the page loads nothing from other servers.
httplib::Headers headers_of_every_answer() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri "
           "'none'; form-action 'none'; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cache-Control", "no-store"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

void set_limits(httplib::Server& server, const HttpLimits& limits) {
  const auto seconds = static_cast<time_t>(limits.patience.count() / 1000 + 1);
  server.set_keep_alive_max_count(1);  // one request for each connection
  server.set_keep_alive_timeout(seconds);
  server.set_read_timeout(limits.patience);
  server.set_write_timeout(limits.patience);
  server.set_payload_max_length(limits.bytes);
  server.new_task_queue = [&limits] { return new ConnectionThreads(limits.connections); };
}

[[noreturn]] void fail_to_listen(const std::string& host, int port, int reason) {
  const std::string place = "port " + std::to_string(port) + " of " + host;
  if (reason == EADDRINUSE)
    fail(place + " is taken by another program; choose another --port, or 0 for a free one");
  if (reason == EACCES) fail(place + " may be opened by root alone; choose a --port of 1024 or more");
  fail(place + " cannot be opened" + (reason == 0 ? "" : " (" + std::generic_category().message(reason) + ")") +
       "; is --host an address of this machine?");
}

}  // namespace

struct HttpServer::State {
  State(HttpService& its_service, const HttpLimits& its_limits)
      : service(its_service), limits(its_limits), patience(its_limits.patience) {
    set_limits(server, limits);
    // not SO_REUSEPORT: with it, a second program could use the same port
    server.set_socket_options([this](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      listening = socket;
    });
    server.set_default_headers(headers_of_every_answer());
    server.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
      return answer_to_head(from, to) ? httplib::Server::HandlerResponse::Handled
                                      : httplib::Server::HandlerResponse::Unhandled;
    });
    server.Post(".*", [this](const httplib::Request& from, httplib::Response& to,
                             const httplib::ContentReader& body) { answer(from, to, body); });
    server.set_error_handler([this](const httplib::Request&, httplib::Response& to) {
      if (to.body.empty()) send(to, service.refusal(to.status, "this is not a valid HTTP/1.1 request"));
    });
  }

  bool answer_to_head(const httplib::Request& from, httplib::Response& to) {
    const Patience::Pause pause(patience, peer_name(from.remote_addr, from.remote_port));
    const std::optional<HttpAnswer> answer = service.answer_to_head(head_of(from));
    if (answer) send(to, *answer);
    return answer.has_value();
  }

  /// Reads the body itself, because the library limits only bodies whose length is given in advance.
  void answer(const httplib::Request& from, httplib::Response& to, const httplib::ContentReader& body) {
    HttpRequest request = head_of(from);
    std::size_t bytes = 0;
    const bool whole = body([&](const char* data, std::size_t size) {
      bytes += size;
      if (bytes <= limits.bytes) request.body.append(data, size);
      return bytes <= 8 * limits.bytes;  // a client that is cut off at once does not read the answer
    });
    const Patience::Pause pause(patience, peer_name(from.remote_addr, from.remote_port));
    if (bytes > limits.bytes || to.status == 413) {
      send(to, service.refusal(413, "a body may have " + std::to_string(limits.bytes) + " bytes"));
    } else if (!whole) {
      send(to, service.refusal(400, "the body ended too early"));
    } else {
      send(to, service.answer(request));
    }
  }

  void close_overdue(int port) {
    while (ended.wait_for(milliseconds(100)) != std::future_status::ready) {
      for (const int descriptor : patience.overdue(connections_to(port))) ::shutdown(descriptor, SHUT_RDWR);
    }
  }

  HttpService& service;
  const HttpLimits limits;
  Patience patience;
  socket_t listening = INVALID_SOCKET;
  httplib::Server server;
  std::promise<void> end;
  std::shared_future<void> ended = end.get_future().share();
  std::thread listener, watch;
};

HttpServer::HttpServer(HttpService& service, const HttpLimits& limits)
    : state_(std::make_unique<State>(service, limits)) {}

HttpServer::~HttpServer() {
  if (!state_->listener.joinable()) return;
  stop(milliseconds(0));
  state_->listener.join();
  state_->watch.join();
}

int HttpServer::start(const std::string& host, int port) {
  State& s = *state_;
  errno = 0;
  const int found = port == 0 ? s.server.bind_to_any_port(host) : s.server.bind_to_port(host, port) ? port : -1;
  if (found <= 0) fail_to_listen(host, port, errno);
  listen(s.listening, 128);  // length of the waiting queue; the library sets five
  s.listener = std::thread([&s] {
    s.server.listen_after_bind();
    s.end.set_value();
  });
  s.watch = std::thread([&s, found] { s.close_overdue(found); });
  while (!s.server.is_running())
    std::this_thread::sleep_for(milliseconds(1));  // before the server runs, stop() would do nothing
  return found;
}

bool HttpServer::stop(milliseconds grace) {
  state_->server.stop();
  state_->patience.end();
  return state_->ended.wait_for(grace) == std::future_status::ready;
}

}  // namespace gradus
