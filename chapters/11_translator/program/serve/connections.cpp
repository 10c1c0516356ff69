#include "11_translator/program/serve/connections.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace gradus {
namespace {

using Ask = int (*)(int, sockaddr*, socklen_t*);  // getsockname or getpeername

/// Numeric address and port of one end of a socket; empty if `descriptor` is no socket, or has no such end.
std::pair<std::string, int> end_of(int descriptor, Ask ask) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (ask(descriptor, any, &size) != 0 || (address.ss_family != AF_INET && address.ss_family != AF_INET6))
    return {};
  if (getnameinfo(any, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) return {};
  return {host, std::atoi(port)};
}

}  // namespace

std::string peer_name(const std::string& address, int port) { return address + ' ' + std::to_string(port); }

std::vector<Connection> connections_to(int port) {
  std::vector<Connection> found;
  std::error_code none;
  for (std::filesystem::directory_iterator at("/dev/fd", none), end; !none && at != end; at.increment(none)) {
    const int descriptor = std::atoi(at->path().filename().c_str());
    const auto [address, own_port] = end_of(descriptor, getsockname);
    if (address.empty() || own_port != port) continue;
    const auto [peer, peer_port] = end_of(descriptor, getpeername);  // a listening socket has none
    if (!peer.empty()) found.push_back({descriptor, peer_name(peer, peer_port)});
  }
  return found;
}

Patience::Pause::Pause(Patience& patience, std::string peer) : patience_(patience), peer_(std::move(peer)) {
  const std::lock_guard<std::mutex> lock(patience_.mutex_);
  ++patience_.paused_[peer_];
}

Patience::Pause::~Pause() {
  const std::lock_guard<std::mutex> lock(patience_.mutex_);
  if (--patience_.paused_[peer_] == 0) patience_.paused_.erase(peer_);
  patience_.since_.erase(peer_);
}

std::vector<int> Patience::overdue(const std::vector<Connection>& open, Clock::time_point now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::map<std::string, Clock::time_point> since;
  std::vector<int> late;
  for (const Connection& connection : open) {
    if (paused_.count(connection.peer) != 0) continue;
    const auto known = since_.find(connection.peer);
    const Clock::time_point first = known == since_.end() ? now : known->second;
    since[connection.peer] = first;
    if (now - first >= most_) late.push_back(connection.descriptor);
  }
  since_ = std::move(since);
  return late;
}

void Patience::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  most_ = Clock::duration::zero();
}

}  // namespace gradus
