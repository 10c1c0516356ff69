#pragma once
/// \file
/// Servers for tests of downloads.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "support/catch.hpp"

namespace gradus::test {

/// A server on this machine that answers a request, which has at most 4,096 bytes, as `answer` says. If it `stays`, it then waits
/// for the client to close.
class TestServer {
 public:
  using Answer = std::function<std::string(const std::string& request)>;

  explicit TestServer(Answer answer, bool stays = false) : answer_(std::move(answer)), stays_(stays) {
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
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void serve() const {
    std::string request(4096, ' ');
    for (int peer = 0; (peer = ::accept(socket_, nullptr, nullptr)) >= 0; ::close(peer)) {
      const ssize_t size = ::read(peer, request.data(), request.size());
      if (size <= 0) continue;
      const std::string answer = answer_(request.substr(0, static_cast<std::size_t>(size)));
      for (std::size_t sent = 0; sent < answer.size();) {
        const ssize_t now = ::send(peer, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
        if (now <= 0) break;
        sent += static_cast<std::size_t>(now);
      }
      if (stays_ && ::read(peer, request.data(), request.size()) < 0) continue;
    }
  }

  Answer answer_;
  bool stays_;
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
  std::thread thread_;
};

/// One that gives every request the same answer.
class OneAnswerServer : public TestServer {
 public:
  explicit OneAnswerServer(const std::string& answer, bool stays = false)
      : TestServer([answer](const std::string&) { return answer; }, stays) {}
};

}  // namespace gradus::test
