#pragma once
/// \file
/// The parts of cpp-httplib's server that are replaced: its queue of connections, its stream and its sockets. Written for its
/// versions 0.11 (Debian 12) to 0.41, whether it is a library or a header alone.

#include <httplib.h>

#include <sys/socket.h>
#include <condition_variable>
#include <cstddef>
#include <ctime>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "app/serve/connection.hpp"

namespace gradus {

/// A thread for each connection; at the limit the accepting thread waits. The library's own queue has no limit.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  using Task = std::function<void()>;
  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue(Task()));  // bool since 0.14

  explicit ConnectionThreads(std::size_t count) : count_(count), free_(count) {}

  Enqueued enqueue(Task connection) override {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return free_ > 0; });
      --free_;
    }
    const auto work = [this, connection = std::move(connection)] {
      connection();
      const std::lock_guard<std::mutex> ended(mutex_);
      ++free_;
      wake_.notify_all();
    };
    try {
      std::thread(work).detach();
    } catch (const std::exception&) {  // no memory for a thread: the accepting one does it
      work();
    }
    return Enqueued(true);
  }

  void shutdown() override {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] { return free_ == count_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t count_, free_;
};

/// A connection in the form that the library reads from. Its versions ask for different functions of these, so none is
/// marked as overriding one.
class LibraryStream final : public httplib::Stream {
 public:
  explicit LibraryStream(Connection& connection) : connection_(connection) {}

  using httplib::Stream::write;
  // NOLINTBEGIN(modernize-use-override)
  bool is_readable() const { return true; }
  bool is_writable() const { return true; }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return true; }
  ssize_t read(char* bytes, size_t size) { return connection_.read(bytes, size); }
  ssize_t write(const char* bytes, size_t size) { return connection_.write(bytes, size); }
  void get_remote_ip_and_port(std::string& /*address*/, int& /*port*/) const {}
  void get_local_ip_and_port(std::string& /*address*/, int& /*port*/) const {}
  socket_t socket() const { return 0; }  // it is asked only whether the number is too large for select()
  time_t duration() const { return 0; }
  // NOLINTEND(modernize-use-override)

 private:
  Connection& connection_;
};

/// The library's server, with the connections taken out of its hands: it parses what was checked, and writes answers.
class LibraryServer final : public httplib::Server {
 public:
  std::function<void(int socket)> on_connection;

  /// Lets the library read one request from the connection, and answer it.
  void answer(Connection& connection) {
    LibraryStream stream(connection);
    answer_by(&LibraryServer::process_request, stream, connection.address());
  }

 private:
  using Setup = const std::function<void(httplib::Request&)>&;

  /// Up to version 0.16 or so.
  void answer_by(bool (httplib::Server::*request)(httplib::Stream&, bool, bool&, Setup), httplib::Stream& stream,
                 const std::string& /*client*/) {
    bool closed = false;
    (this->*request)(stream, true, closed, nullptr);
  }

  /// Later versions; the newest ones have one more argument.
  template <class... More>
  void answer_by(bool (httplib::Server::*request)(httplib::Stream&, const std::string&, int, const std::string&,
                                                  int, bool, bool&, Setup, More...),
                 httplib::Stream& stream, const std::string& client) {
    bool closed = false;
    (this->*request)(stream, client, 0, "", 0, true, closed, nullptr, More{}...);
  }

  bool process_and_close_socket(socket_t socket) override {
    on_connection(socket);
    return true;
  }
};

}  // namespace gradus
