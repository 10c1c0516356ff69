#pragma once
/// \file
/// Which memory a piece of work reads and writes, and whether two pieces that may run at the same time touch the same bytes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gradus::standin {

/// `rows` pieces of `bytes` bytes, each `stride` bytes behind the one before.
struct Access {
  const char* what;
  const void* begin;
  std::size_t bytes;
  bool writes;
  std::size_t rows = 1, stride = 0;
};
bool overlap(const Access& a, const Access& b);

/// Work as a GPU gets it: its arguments are in `run`, by value.
struct Task {
  std::string what;
  std::function<void()> run;
  std::vector<Access> accesses;  ///< those that are known: of a kernel, the views among its arguments
};
using TaskPtr = std::shared_ptr<const Task>;
using Id = std::uint64_t;

/// The place behind which new work of a stream comes: the last pieces of work, and how many pieces of each stream are known to
/// be done before it.
struct Line {
  std::vector<Id> tails;
  std::map<const void*, std::uint64_t> before;  ///< by stream

  void join(const Line& other);
};

/// The work that may still run when new work is added.
class Watch {
 public:
  /// `line` is that of `stream`, with this task as its last. Throws Fault if an earlier task of another stream is not known to be
  /// done before it, and one of the two writes what the other one reads or writes.
  void add(const void* stream, const Line& line, const TaskPtr& task);

  /// From now on only work for which `is_open(id)` holds may still run.
  void keep(const std::function<bool(Id)>& is_open);

 private:
  struct Seen {
    std::uint64_t number;
    Id id;
    TaskPtr task;
  };
  std::map<const void*, std::vector<Seen>> streams_;
};

}  // namespace gradus::standin
