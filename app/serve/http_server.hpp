#pragma once
/// \file
/// HTTP/1.1 on a port of this machine. Only http_server_httplib.cpp includes cpp-httplib; a program that is built
/// without it uses http_server_none.cpp instead.

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "app/serve/http_message.hpp"

namespace gradus {

struct HttpLimits {
  std::size_t connections = 32;  ///< at the same time; others wait for a free place
  std::size_t bytes = 65536;     ///< of a body
  /// time for a client to send its request, and again to receive the answer
  std::chrono::milliseconds patience{10'000};
};

/// A connection carries one request.
class HttpServer {
 public:
  /// Throws Error if the program was built without cpp-httplib.
  HttpServer(HttpService& service, const HttpLimits& limits);
  ~HttpServer();  ///< waits for unfinished answers
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Starts to listen; call it once. Returns the port; for port 0 the system chooses a free one. Throws Error, with
  /// what to do, if the port cannot be opened.
  int start(const std::string& host, int port);

  /// Ends all connections; unfinished answers get `grace` to end. Returns false if one takes longer.
  bool stop(std::chrono::milliseconds grace);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gradus
