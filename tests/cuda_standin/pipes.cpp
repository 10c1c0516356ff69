#include "cuda_standin/pipes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "gradus/util/error.hpp"

namespace gradus::standin {
namespace {

constexpr int patience = 20'000;  // milliseconds

/// Moves all bytes by `move`, which is read or write.
template <class Move>
bool move_all(int file, short event, char* at, std::size_t bytes, Move move) {
  while (bytes > 0) {
    pollfd ready{file, event, 0};
    if (poll(&ready, 1, patience) != 1) return false;
    const ssize_t moved = move(file, at, bytes);
    if (moved <= 0) return false;
    at += moved, bytes -= static_cast<std::size_t>(moved);
  }
  return true;
}
bool read_all(int file, void* to, std::size_t bytes) {
  return move_all(file, POLLIN, static_cast<char*>(to), bytes, ::read);
}
bool write_all(int file, const void* from, std::size_t bytes) {
  return move_all(file, POLLOUT, static_cast<char*>(const_cast<void*>(from)), bytes, ::write);
}

void receive(int file, const Incoming& in) {
  std::size_t bytes = 0;
  if (!read_all(file, &bytes, sizeof bytes)) fail("rank " + std::to_string(in.from) + " sends nothing");
  if (bytes != in.bytes)
    fail("rank " + std::to_string(in.from) + " sends " + std::to_string(bytes) + " bytes instead of " +
         std::to_string(in.bytes));
  if (!read_all(file, in.data, in.bytes)) fail("rank " + std::to_string(in.from) + " sends too little");
}

}  // namespace

std::string new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "gradus-pipes-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail("no folder can be made in " + name);
  return name;
}

std::string Pipes::name(std::size_t from, std::size_t to) const {
  return folder_ + "/" + std::to_string(from) + "-" + std::to_string(to);
}

/// A pipe that is open for both directions waits for no other process.
Pipes::Pipes(std::string folder, std::size_t rank, std::size_t size) : folder_(std::move(folder)), rank_(rank) {
  const auto open_pipe = [](const std::string& path) {
    if (mkfifo(path.c_str(), 0600) != 0 && errno != EEXIST) fail(path + ": no pipe can be made");
    return open(path.c_str(), O_RDWR | O_CLOEXEC);
  };
  for (std::size_t other = 0; other < size; ++other) {
    to_.push_back(open_pipe(name(rank, other)));
    from_.push_back(open_pipe(name(other, rank)));
  }
}
Pipes::~Pipes() {
  for (const auto* files : {&to_, &from_}) {
    for (const int file : *files) close(file);
  }
  for (std::size_t other = 0; other < from_.size(); ++other) unlink(name(other, rank_).c_str());
  rmdir(folder_.c_str());  // the last process finds it empty
}

void Pipes::exchange(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) {
  const auto is_known = [&](std::size_t other) { return other < to_.size() && other != rank_; };
  const bool are_known = std::all_of(out.begin(), out.end(), [&](const Outgoing& o) { return is_known(o.to); }) &&
                         std::all_of(in.begin(), in.end(), [&](const Incoming& i) { return is_known(i.from); });
  require(are_known, "a message to or from a rank that is not there");
  std::thread sender([&] {  // a pipe holds little: everyone has to read while it writes
    for (const Outgoing& o : out)
      write_all(to_[o.to], &o.bytes, sizeof o.bytes) && write_all(to_[o.to], o.data, o.bytes);
  });
  std::string error;
  for (const Incoming& i : in) {
    try {
      receive(from_[i.from], i);
    } catch (const Error& e) {
      error = e.what();
      break;
    }
  }
  sender.join();
  if (!error.empty()) fail(error);
}

}  // namespace gradus::standin
