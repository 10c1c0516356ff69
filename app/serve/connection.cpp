#include "app/serve/connection.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "app/serve/http_head.hpp"

namespace gradus {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds pause(50);     // between two looks at a client, and at `ending`
constexpr char first_byte[] = {'H'};  // of every answer: "HTTP/1.1 200 OK"
constexpr std::size_t block = 16'384;

}  // namespace

Connection::Connection(int socket, Clock::duration patience, const std::atomic<bool>& ending)
    : socket_(socket), patience_(patience), ending_(ending), read_until_(Clock::now() + patience) {}

/// A socket that is closed while bytes wait in it makes the system reset the connection, and the client would lose the answer. So
/// what still arrives is thrown away, for a moment.
Connection::~Connection() {
  ::shutdown(socket_, SHUT_WR);
  char thrown_away[block];
  const auto until = Clock::now() + (answered_ && !gone_ ? milliseconds(500) : milliseconds(0));
  for (int i = 0; i < 4096 && wait_for(POLLIN, until); ++i) {
    if (::recv(socket_, thrown_away, sizeof thrown_away, MSG_DONTWAIT) <= 0) break;
  }
  ::close(socket_);
}

/// Moves bytes from the beginning of `from`.
long Connection::take(std::string& from, char* bytes, std::size_t size) {
  const std::size_t count = std::min(size, from.size());
  std::copy_n(from.begin(), count, bytes);
  from.erase(0, count);
  return static_cast<long>(count);
}

/// Waits for the event, or for the client's end.
bool Connection::wait_for(short event, Clock::time_point until) const {
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left.count() <= 0 || (event == POLLIN && ending_)) return false;
    pollfd one{socket_, event, 0};
    if (::poll(&one, 1, static_cast<int>(std::min(left, pause).count())) > 0) return true;
  }
}

long Connection::receive(char* bytes, std::size_t size) {
  while (wait_for(POLLIN, read_until_)) {
    const ssize_t got = ::recv(socket_, bytes, size, MSG_DONTWAIT);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return got;
  }
  return -1;
}

std::optional<std::string> Connection::read_head() {
  char bytes[4096];
  std::size_t checked = 0;  // so many of the waiting bytes
  for (;;) {
    while (waiting_.compare(0, 2, "\r\n") == 0) waiting_.erase(0, 2);  // RFC 9112, 2.2
    const std::size_t end = end_of_head(waiting_);
    if (end > most_head_bytes || (end == 0 && waiting_.size() > most_head_bytes))
      throw HttpError(431, "the head of a request may have " + std::to_string(most_head_bytes) + " bytes");
    if (end != 0) {
      const std::string head = waiting_.substr(0, end);
      waiting_.erase(0, end);
      return head;
    }
    if (checked == 0 || waiting_.find('\n', checked) != waiting_.npos) {
      check_beginning(waiting_);
      checked = waiting_.size();
    }
    const long got = receive(bytes, sizeof bytes);
    if (got < 0 && !waiting_.empty() && !ending_) throw HttpError(408, "the rest of the head did not come in time");
    if (got == 0 && !waiting_.empty()) refuse_request("it ends before the empty line behind its headers");
    if (got <= 0) return {};
    waiting_.append(bytes, static_cast<std::size_t>(got));
  }
}

long Connection::read(char* bytes, std::size_t size) { return take(head_, bytes, size); }

long Connection::read_body(char* bytes, std::size_t size) {
  write_until_.reset();  // if something was written, it asked the client to go on with its request
  answered_ = false;
  return waiting_.empty() ? receive(bytes, size) : take(waiting_, bytes, size);
}

long Connection::write(const char* bytes, std::size_t size) {
  answered_ = true;
  if (announced_ != 0 && size != 0) {
    announced_ = 0;
    if (size == 1) return 1;
    const long sent = write(bytes + 1, size - 1);
    return sent < 0 ? sent : sent + 1;
  }
  if (!write_until_) write_until_ = Clock::now() + patience_;
  while (wait_for(POLLOUT, *write_until_)) {
    const ssize_t sent = ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return sent;
  }
  return -1;
}

/// A client that has closed its connection and one that has only finished sending look the same until something is sent to them:
/// only the first one's system then answers with a reset. Every answer begins with the same byte, so that is sent.
bool Connection::is_gone() {
  const auto now = Clock::now();
  if (gone_ || now < look_again_) return gone_;
  look_again_ = now + pause;
  pollfd one{socket_, POLLIN, 0};
  if (::poll(&one, 1, 0) <= 0) return false;
  gone_ = (one.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
  if (gone_ || announced_ != 0 || answered_) return gone_;
  char ignored[block];  // more than one request
  const ssize_t got = ::recv(socket_, ignored, sizeof ignored, MSG_DONTWAIT);
  if (got < 0) gone_ = errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK;
  if (got == 0) {
    announced_ = ::send(socket_, first_byte, sizeof first_byte, MSG_NOSIGNAL | MSG_DONTWAIT) > 0 ? 1 : 0;
    gone_ = announced_ == 0;
  }
  return gone_;
}

std::string Connection::address() const {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  auto* const any = reinterpret_cast<sockaddr*>(&peer);
  char host[NI_MAXHOST];
  if (::getpeername(socket_, any, &size) != 0) return "";
  return ::getnameinfo(any, size, host, sizeof host, nullptr, 0, NI_NUMERICHOST) == 0 ? host : "";
}

}  // namespace gradus
