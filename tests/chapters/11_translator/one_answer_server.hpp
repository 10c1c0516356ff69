#pragma once
/// \file
/// A server for tests of downloads.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

#include "support/catch.hpp"

namespace gradus::test {

/// A server on this machine that gives every request the same answer. If it `stays`, it then waits for the client
/// to close.
class OneAnswerServer {
 public:
  explicit OneAnswerServer(std::string answer, bool stays = false) : answer_(std::move(answer)), stays_(stays) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    REQUIRE(
        (::bind(socket_, any, size) == 0 && ::listen(socket_, 8) == 0 && ::getsockname(socket_, any, &size) == 0));
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  OneAnswerServer(const OneAnswerServer&) = delete;
  OneAnswerServer& operator=(const OneAnswerServer&) = delete;
  ~OneAnswerServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void serve() const {
    std::string request(4096, ' ');
    for (int peer = 0; (peer = ::accept(socket_, nullptr, nullptr)) >= 0; ::close(peer)) {
      if (::read(peer, request.data(), request.size()) <= 0) continue;
      ::send(peer, answer_.data(), answer_.size(), MSG_NOSIGNAL);
      if (stays_ && ::read(peer, request.data(), request.size()) < 0) continue;
    }
  }

  std::string answer_;
  bool stays_;
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
  std::thread thread_;
};

}  // namespace gradus::test
