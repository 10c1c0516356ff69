#pragma once
/// \file
/// Requests for memory, as a GPU makes them: the accesses of one instruction by the 32 lanes of a warp. A request to global
/// memory moves whole sectors of 32 bytes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/scheduler.hpp"

namespace gradus::test {

constexpr std::uintptr_t sector_bytes = 32;

/// A load or store: its place in the program, and which memory it reaches.
struct Instruction {
  std::uintptr_t at;
  bool is_store, is_shared;
  bool operator<(const Instruction& o) const {
    return std::tie(at, is_store, is_shared) < std::tie(o.at, o.is_store, o.is_shared);
  }
};

struct Access {
  std::uintptr_t address;
  std::size_t bytes, lane;
};
using Request = std::vector<Access>;

/// What a request to global memory moves, and how many different bytes of it the lanes asked for.
struct Movement {
  std::size_t sectors, wanted;
};
inline Movement movement(const Request& request) {
  std::set<std::uintptr_t> sectors, bytes;
  for (const Access& a : request) {
    for (std::size_t i = 0; i < a.bytes; ++i) {
      bytes.insert(a.address + i);
      sectors.insert((a.address + i) / sector_bytes);
    }
  }
  return {sectors.size(), bytes.size()};
}

/// Collects the accesses of the running block. When it has ended, `told` gets each request.
class Requests {
 public:
  using Told = std::function<void(const Instruction&, const Request&)>;
  explicit Requests(Told told) : told_(std::move(told)) {}

  /// An access of the running thread. Its n-th one by an instruction belongs to the n-th request of its warp there.
  void add(const Instruction& instruction, const void* address, std::size_t bytes) {
    const std::uint64_t block = (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (std::exchange(block_, block) != block) settle();
    const std::size_t thread = gpu::host::running_thread(), turn = ++times_[instruction][thread];
    requests_[{instruction, thread / 32, turn}].push_back(
        {reinterpret_cast<std::uintptr_t>(address), bytes, thread % 32});
  }

  /// The last block has ended.
  void settle() {
    for (const auto& [key, request] : requests_) told_(std::get<0>(key), request);
    requests_.clear(), times_.clear();
  }

 private:
  Told told_;
  std::uint64_t block_ = 0;
  std::map<Instruction, std::unordered_map<std::size_t, std::size_t>> times_;  // how often a thread was there
  std::map<std::tuple<Instruction, std::size_t, std::size_t>, Request> requests_;
};

}  // namespace gradus::test
