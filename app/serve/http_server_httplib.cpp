#include <sys/socket.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "app/serve/http_body.hpp"
#include "app/serve/http_head.hpp"
#include "app/serve/http_server.hpp"
#include "app/serve/http_server_library.hpp"

namespace gradus {
namespace {

using std::chrono::milliseconds;

/// What the library's handlers do not get of the request that their thread works for.
struct Current {
  Connection& connection;
  std::optional<HttpAnswer> refusal;  ///< the answer, whatever the library reads
  BodyLength body;
};
thread_local Current* current = nullptr;

HttpRequest head_of(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  const std::size_t mark = from.target.find('?');
  if (mark != std::string::npos) request.query = from.target.substr(mark + 1);
  request.host = from.get_header_value("Host");
  request.origin = from.get_header_value("Origin");
  request.fetch_site = from.get_header_value("Sec-Fetch-Site");
  request.content_type = from.get_header_value("Content-Type");
  request.client = current->connection.address();
  request.has_body = current->body.is_there();
  request.is_gone = [&connection = current->connection] { return connection.is_gone(); };
  return request;
}

/// Moves the body, which may be large.
void send(httplib::Response& to, HttpAnswer answer) {
  to.status = answer.status;
  to.body = std::move(answer.body);
  to.headers.erase("Content-Type");
  if (!answer.type.empty()) to.set_header("Content-Type", answer.type);
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

[[noreturn]] void fail_to_listen(const std::string& host, int port, int reason) {
  const std::string place = "port " + std::to_string(port) + " of " + host;
  if (reason == EADDRINUSE)
    fail(place + " is taken by another program; choose another --port, or 0 for a free one");
  if (reason == EACCES) fail(place + " may be opened by root alone; choose a --port of 1024 or more");
  fail(place + " cannot be opened" + (reason == 0 ? "" : " (" + std::generic_category().message(reason) + ")") +
       "; is --host an address of this machine?");
}

constexpr const char* no_memory = "there is not enough memory for this";

/// The answer if there is no memory for another one. It is made before it is needed.
std::string answer_without_memory() {
  const std::string body = std::string("{\"error\":\"") + no_memory + "\"}";
  return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: "
         "1\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace

struct HttpServer::State {
  State(HttpService& its_service, const HttpLimits& its_limits) : service(its_service), limits(its_limits) {
    server.set_payload_max_length(limits.bytes);
    server.new_task_queue = [this] { return new ConnectionThreads(limits.connections); };
    // not SO_REUSEPORT: with it, a second program could use the same port
    server.set_socket_options([this](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      listening = socket;
    });
    server.on_connection = [this](int socket) { serve(socket); };
    server.set_default_headers(headers_of_every_answer());
    server.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
      return answer_to_head(from, to) ? httplib::Server::HandlerResponse::Handled
                                      : httplib::Server::HandlerResponse::Unhandled;
    });
    server.Post(".*", [this](const httplib::Request& from, httplib::Response& to, const httplib::ContentReader&) {
      answer(from, to);
    });
    server.set_error_handler([this](const httplib::Request&, httplib::Response& to) {
      if (to.body.empty()) send(to, service.refusal(to.status, "this is not a valid HTTP/1.1 request"));
    });
    server.set_exception_handler([this](const httplib::Request&, httplib::Response& to, const std::exception_ptr&) {
      send(to, service.refusal(503, no_memory));
    });
    // the library offers ranges of an answer to HEAD
    server.set_post_routing_handler(
        [](const httplib::Request&, httplib::Response& to) { to.headers.erase("Accept-Ranges"); });
  }

  /// One connection, from its first byte to its end.
  void serve(int socket) {
    Connection connection(socket, limits.patience, ending);
    try {
      Current mine{connection, {}, {}};
      if (!take_head(mine)) return;
      current = &mine;
      server.answer(connection);
    } catch (const std::exception&) {  // a lack of memory: the service throws nothing
      if (!connection.has_answered()) connection.write(last_answer.data(), last_answer.size());
    }
    current = nullptr;
  }

  /// Reads the head and checks it. False if there is none, and nobody to answer.
  bool take_head(Current& mine) {
    bool is_head = false;
    try {
      const std::optional<std::string> head = mine.connection.read_head();
      if (!head) return false;
      is_head = head->compare(0, 5, "HEAD ") == 0;
      const std::string checked = checked_head(*head);
      mine.body = body_length(checked);
      if (mine.body.bytes > limits.bytes) throw too_long_body(limits.bytes);
      mine.connection.begin(checked);
    } catch (const HttpError& error) {
      mine.refusal = service.refusal(error.status, error.what());
      mine.connection.begin(std::string(is_head ? "HEAD" : "GET") + " / HTTP/1.1\r\nHost: refused\r\n\r\n");
    }
    return true;
  }

  bool answer_to_head(const httplib::Request& from, httplib::Response& to) {
    std::optional<HttpAnswer> answer = current->refusal ? current->refusal : service.answer_to_head(head_of(from));
    if (!answer) return false;
    send(to, *std::move(answer));
    return true;
  }

  /// Reads the body itself: the library would read all of one that is too long, and of one in parts whatever it takes for them.
  std::string read_body() const {
    const BodyLength& length = current->body;
    const std::size_t most_received = 16 * limits.bytes + 65536;  // of a body in parts, also the lines between them
    BodyInParts parts(limits.bytes);
    std::string whole;
    char bytes[16'384];
    std::size_t received = 0;
    while (length.in_parts || whole.size() < length.bytes) {
      const std::size_t wanted =
          length.in_parts ? sizeof bytes : std::min(sizeof bytes, length.bytes - whole.size());
      const long got = current->connection.read_body(bytes, wanted);
      if (got < 0) throw HttpError(408, "the rest of the body did not come in time");
      if (got == 0) throw HttpError(400, "the body ended too early");
      const std::string_view some(bytes, static_cast<std::size_t>(got));
      if (length.in_parts && parts.take(some)) return parts.body();
      if (!length.in_parts) whole.append(some);
      received += some.size();
      if (received > most_received) throw too_long_body(limits.bytes);
    }
    return whole;
  }

  void answer(const httplib::Request& from, httplib::Response& to) {
    HttpRequest request = head_of(from);
    try {
      request.body = read_body();
    } catch (const HttpError& error) {
      return send(to, service.refusal(error.status, error.what()));
    }
    send(to, service.answer(request));
  }

  HttpService& service;
  const HttpLimits limits;
  const std::string last_answer = answer_without_memory();
  socket_t listening = INVALID_SOCKET;
  std::atomic<bool> ending{false};
  LibraryServer server;
  std::promise<void> end;
  std::shared_future<void> ended = end.get_future().share();
  std::thread listener;
};

HttpServer::HttpServer(HttpService& service, const HttpLimits& limits)
    : state_(std::make_unique<State>(service, limits)) {}

HttpServer::~HttpServer() {
  if (!state_->listener.joinable()) return;
  stop(milliseconds(0));
  state_->listener.join();
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
  while (!s.server.is_running())
    std::this_thread::sleep_for(milliseconds(1));  // before the server runs, stop() would do nothing
  return found;
}

bool HttpServer::stop(milliseconds grace) {
  state_->ending = true;
  state_->server.stop();
  return state_->ended.wait_for(grace) == std::future_status::ready;
}

}  // namespace gradus
