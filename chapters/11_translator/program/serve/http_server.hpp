#pragma once
/// \file
/// HTTP/1.1 on a port of this machine. The only door to cpp-httplib is http_server_httplib.cpp; a program that was built
/// without it has http_server_none.cpp in its place.

#include <chrono>
#include <memory>
#include <string>

#include "11_translator/program/serve/http_message.hpp"

namespace gradus {

struct HttpLimits {
  std::size_t connections = 32;                ///< at a time; others wait until the system takes them
  std::size_t bytes = 65536;                   ///< of a body
  std::chrono::milliseconds patience{10'000};  ///< for a client to send its request, and again to take the answer
};

/// A connection carries one request.
class HttpServer {
 public:
  /// Throws Error where the program was built without cpp-httplib.
  HttpServer(HttpService& service, const HttpLimits& limits);
  ~HttpServer();  ///< waits for answers that are under way
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens from now on, once. Returns the port; for port 0 the system chooses a free one. Throws Error, with what to do, if
  /// this port of this address cannot be had.
  int start(const std::string& host, int port);

  /// Ends all connections; an answer that is under way may take `grace`. False: one takes longer.
  bool stop(std::chrono::milliseconds grace);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gradus
