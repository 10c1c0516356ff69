#pragma once
/// \file
/// Clients of a server on this machine that misbehave: they send half a request, or nothing.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "support/catch.hpp"

namespace gradus::test {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET, address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool send(const std::string& bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }

  void finish_sending() const { shutdown(socket_, SHUT_WR); }

  /// Whether there is something to read within that many milliseconds: bytes, or the end.
  bool hears_within(int milliseconds) const {
    pollfd one{socket_, POLLIN, 0};
    return poll(&one, 1, milliseconds) == 1;
  }

  /// All that the server sends until it closes the connection; "silence" if nothing happens for a minute.
  std::string rest() const {
    std::string all;
    char bytes[4096];
    while (hears_within(60'000)) {
      const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
      if (count <= 0) return all;
      all.append(bytes, static_cast<std::size_t>(count));
    }
    return "silence";
  }

 private:
  int socket_;
};

/// How many connections of this process a server on `port` has accepted.
inline std::size_t connections_to(int port) {
  std::size_t count = 0;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    sockaddr_in own{}, peer{};
    socklen_t size = sizeof own;
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) != 0 || ntohs(own.sin_port) != port)
      continue;
    size = sizeof peer;  // a listening socket has no peer
    count += getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0 ? 1 : 0;
  }
  return count;
}

}  // namespace gradus::test
