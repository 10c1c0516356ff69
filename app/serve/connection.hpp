#pragma once
/// \file
/// A client's connection, with limits of time and size. The timeouts of cpp-httplib start again with each byte, and it stores
/// a line of any length.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace gradus {

/// One thread uses it. A connection carries one request and its answer.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  /// Owns `socket`. The client has `patience` to send its request, and again to take the answer. When `ending` becomes true,
  /// nothing more is read.
  Connection(int socket, Clock::duration patience, const std::atomic<bool>& ending);
  ~Connection();  ///< closes it, so that the client gets the whole answer
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The head of the request; none if the client closes or is too slow. Throws HttpError for a head that is too long, and at the
  /// first line or byte that is wrong.
  std::optional<std::string> read_head();

  /// From now on read() gives `head`, and then the end.
  void begin(const std::string& head) { head_ = head; }

  /// As recv and send: the number of bytes, 0 at the end, -1 on an error. A client that is too slow is an error.
  long read(char* bytes, std::size_t size);
  long read_body(char* bytes, std::size_t size);  ///< what the client sends after its head
  long write(const char* bytes, std::size_t size);

  bool has_answered() const { return answered_; }  ///< whether anything of the answer was written

  /// Whether nobody waits for the answer any longer. A client that closed only its sending half waits. Cheap enough to be asked
  /// often.
  bool is_gone();

  std::string address() const;  ///< numeric, of the client

 private:
  bool wait_for(short event, Clock::time_point until) const;
  long receive(char* bytes, std::size_t size);
  static long take(std::string& from, char* bytes, std::size_t size);

  int socket_;
  Clock::duration patience_;
  const std::atomic<bool>& ending_;
  Clock::time_point read_until_;
  std::optional<Clock::time_point> write_until_;  // of the answer: since its first byte
  Clock::time_point look_again_;
  std::string head_;           // for read()
  std::string waiting_;        // was received, and not yet read
  std::size_t announced_ = 0;  // bytes of the answer that is_gone() has sent
  bool answered_ = false, gone_ = false;
};

}  // namespace gradus
