#pragma once
/// \file
/// The workspace of a step: memory that is taken and given back like a stack, and allocated once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "gradus/tensor/view.hpp"
#include "gradus/util/process.hpp"

namespace gradus {

/// How a space allocates memory, and how it tells the memory checker which bytes of a block are in use (`allow`)
/// and which are not (`forbid`). The specialisation for a GPU is in gpu/runtime.hpp.
template <class Space>
struct Allocator;

template <>
struct Allocator<Host> {
  static constexpr std::align_val_t alignment{64};
  static std::byte* allocate(std::size_t bytes) {
    auto* const p = static_cast<std::byte*>(::operator new(bytes, alignment));
    prefer_large_pages(p, bytes);
    return p;
  }
  static void release(std::byte* p) { ::operator delete(p, alignment); }
  static void poison(std::byte* p, std::size_t bytes) { std::memset(p, 0xFF, bytes); }
  static void allow(std::byte*, std::size_t) {}
  static void forbid(std::byte*, std::size_t) {}
};

/// A stack of tensors. Tensors that do not fit into its one block get further blocks, until `settle` (called between
/// steps) makes one block of the largest size so far. So the first step of a size allocates, the next one allocates
/// once more, and later ones allocate nothing. A further block has half the size of all that is in use, or 32 MiB, if
/// its tensor needs no more: so there are few, and the system's large pages fit into them.
template <class Real, class Space>
class Workspace {
 public:
  struct Mark {
    std::size_t block = 0, used = 0, taken = 0;
  };

  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  View<Real, 1, Space> vector(std::size_t n) { return {take<Real>(n), {n}, n}; }                ///< (n)
  View<std::int32_t, 1, Space> ints(std::size_t n) { return {take<std::int32_t>(n), {n}, n}; }  ///< (n)
  View<Real, 2, Space> matrix(std::size_t rows, std::size_t columns) {                          ///< (rows, columns)
    return {take<Real>(rows * columns), {rows, columns}, columns};
  }

  Mark mark() const { return now_; }
  void release(Mark mark) {
    for (std::size_t b = mark.block; b <= now_.block && b < blocks_.size(); ++b) {
      const std::size_t begin = b == mark.block ? mark.used : 0,
                        end = b == now_.block ? now_.used : blocks_[b].size;
      if (begin < end) Allocator<Space>::forbid(blocks_[b].memory.get() + begin, end - begin);
    }
    now_ = mark;
  }

  /// Gives everything back. If the last step needed more than one block, allocates one block of the largest size so far.
  void settle() { reserve(0); }

  /// The same, and the block has at least so many bytes.
  void reserve(std::size_t bytes) {
    release({});
    high_water_ = std::max(high_water_, bytes);
    if (blocks_.size() > 1 || (blocks_.empty() ? 0 : blocks_[0].size) < high_water_) {
      blocks_.clear();
      add_block(high_water_);
    }
  }

  /// Exchanges the memory of two workspaces. Views of it stay valid.
  void swap(Workspace& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(now_, other.now_);
    std::swap(high_water_, other.high_water_);
    std::swap(allocations_, other.allocations_);
  }

  std::size_t high_water() const { return high_water_; }    ///< the most bytes that were in use at once
  std::size_t allocations() const { return allocations_; }  ///< how often memory was allocated from the system
  bool poisoned = false;  ///< fill new tensors with NaN, to show tensors that are read before they are written

 private:
  struct Release {
    void operator()(std::byte* p) const { Allocator<Space>::release(p); }
  };
  struct Block {
    std::unique_ptr<std::byte, Release> memory;
    std::size_t size;
  };

  void add_block(std::size_t size) {
    blocks_.push_back({std::unique_ptr<std::byte, Release>(Allocator<Space>::allocate(size)), size});
    Allocator<Space>::forbid(blocks_.back().memory.get(), size);
    ++allocations_;
  }

  template <class T>
  T* take(std::size_t n) {
    const std::size_t size = n * sizeof(T);
    // with a gap: the size is never 0, so the tensor never looks absent
    const std::size_t bytes = (size + 63) / 64 * 64 + 64;
    while (now_.block < blocks_.size() && now_.used + bytes > blocks_[now_.block].size)
      now_ = {now_.block + 1, 0, now_.taken};
    if (now_.block == blocks_.size()) add_block(std::max({bytes, smallest, std::min(now_.taken / 2, most_ahead)}));
    std::byte* const p = blocks_[now_.block].memory.get() + now_.used;
    now_.used += bytes;
    now_.taken += bytes;
    if (now_.taken > high_water_) high_water_ = now_.taken;
    Allocator<Space>::allow(p, bytes);
    if (poisoned) Allocator<Space>::poison(p, bytes);
    Allocator<Space>::forbid(p + size, bytes - size);
    return reinterpret_cast<T*>(p);
  }

  static constexpr std::size_t smallest = std::size_t{1} << 20, most_ahead = std::size_t{32} << 20;
  std::vector<Block> blocks_;
  Mark now_;
  std::size_t high_water_ = 0, allocations_ = 0;
};

/// Scratch memory of a scope: memory that is taken from `dev.scratch` inside the scope is given back at its end.
template <class Dev>
class Scratch {
 public:
  explicit Scratch(Dev& dev) : dev_(dev), mark_(dev.scratch.mark()) {}
  ~Scratch() { dev_.scratch.release(mark_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  Dev& dev_;
  typename decltype(Dev::scratch)::Mark mark_;
};

}  // namespace gradus
