#pragma once
/// \file
/// The open connections of a server, found by what the system says of every descriptor: cpp-httplib waits for each byte anew
/// and tells nobody which sockets it holds, so a client that sends one now and then would keep a connection for ever.

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gradus {

struct Connection {
  int descriptor;
  std::string peer;  ///< the other end, as peer_name writes it
};

/// "127.0.0.1 40312".
std::string peer_name(const std::string& address, int port);

/// Those of this process that a server on `port` has accepted.
std::vector<Connection> connections_to(int port);

/// How long clients have kept a connection waiting.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Patience(Clock::duration most) : most_(most) {}

  /// While one lives, it is the server that works for `peer`; then the time of `peer` begins anew.
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

  /// The descriptors of those among `open`, all connections that there are now, whose time is over.
  std::vector<int> overdue(const std::vector<Connection>& open, Clock::time_point now = Clock::now());

  /// From now on every connection is overdue for which the server does not work.
  void end();

 private:
  Clock::duration most_;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> since_;
  std::map<std::string, int> paused_;
};

}  // namespace gradus
