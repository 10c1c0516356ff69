#pragma once
/// \file
/// The open connections of a server, found by asking the system about every descriptor. cpp-httplib does not list
/// its sockets, and its timeout starts again with each byte: without this, a client that sends a byte now and then
/// would keep a connection for ever.

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gradus {

struct Connection {
  int descriptor;
  std::string peer;  ///< the other end, in the form of peer_name
};

/// "127.0.0.1 40312".
std::string peer_name(const std::string& address, int port);

/// The connections of this process that a server on `port` has accepted.
std::vector<Connection> connections_to(int port);

/// How long each client has kept its connection waiting.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Patience(Clock::duration most) : most_(most) {}

  /// As long as one exists, the server is working for `peer`; afterwards the time of `peer` starts again.
  class Pause {
   public:
    Pause(Patience& patience, std::string peer);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Patience& patience_;
    std::string peer_;
  };

  /// The descriptors among `open`, all current connections, whose time is over.
  std::vector<int> overdue(const std::vector<Connection>& open, Clock::time_point now = Clock::now());

  /// From now on every connection is overdue unless the server is working for it.
  void end();

 private:
  Clock::duration most_;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> since_;
  std::map<std::string, int> paused_;
};

}  // namespace gradus
