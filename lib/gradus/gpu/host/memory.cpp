#include "gradus/gpu/host/memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <map>

#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/gpu/host/stream.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu {
namespace host {
namespace {

/// Addresses are reserved once; a page uses memory after the first write to it. Between two pieces there is always
/// a gap, which is out of bounds.
class Memory {
 public:
  Memory() {
    void* const reserved =
        mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) fail("the host layer cannot reserve addresses for device memory");
    base_ = static_cast<std::byte*>(reserved);
  }

  std::byte* allocate(std::size_t bytes) {
    const auto [memory, capacity] =
        find((bytes + granule) / granule * granule);  // at least one byte more than bytes
    live_[memory] = {bytes, capacity};
    const DeviceAccess access;
    allow(memory, bytes);
    std::memset(memory, 0xFF, bytes);  // NaN: shows memory that is read before it is written
    forbid(memory + bytes, capacity - bytes);
    return memory;
  }

  void release(std::byte* memory) {
    const auto at = live_.find(memory);
    if (at == live_.end()) fail("release of memory that allocate did not return");
    forbid(memory, at->second.capacity);
    free_.emplace(at->second.capacity, memory);
    live_.erase(at);
  }

  void check(const char* what, const std::byte* begin, std::size_t bytes) const {
    auto after = live_.upper_bound(const_cast<std::byte*>(begin));
    if (after != live_.begin()) {
      const auto& [memory, piece] = *std::prev(after);
      const auto offset = static_cast<std::size_t>(begin - memory);
      if (offset < piece.bytes && bytes <= piece.bytes - offset) return;
      if (offset < piece.bytes) fail(std::string(what) + " reaches past the end of its device memory");
    }
    fail(std::string(what) + " does not point to device memory");
  }

  bool has(const std::byte* at) const { return at >= base_ && at < base_ + used_; }

  std::pair<const std::byte*, std::size_t> addresses() const { return {base_, reserved_bytes}; }

  void open() {
    if (++depth_ == 1 && protected_) apply();
  }
  void close() {
    if (--depth_ == 0 && protected_) apply();
  }
  void protect(bool on) {
    protected_ = on;
    apply();
  }

 private:
  struct Piece {
    std::size_t bytes, capacity;
  };

  /// Returns a free piece of at least `capacity` bytes, or a new one: its address and its own capacity. Each launch opens
  /// and closes all memory that was ever used, so using little memory is fast.
  std::pair<std::byte*, std::size_t> find(std::size_t capacity) {
    const auto at = free_.lower_bound(capacity);
    if (at != free_.end()) {
      const auto [found, memory] = *at;
      free_.erase(at);
      return {memory, found};
    }
    if (capacity > reserved_bytes - used_)
      fail("the GPU has no " + std::to_string(capacity) + " bytes of memory left");
    std::byte* const memory = base_ + used_;
    used_ += capacity;
    apply();
    return {memory, capacity};
  }

  void apply() {
    if (used_ == 0) return;
    const bool reachable = depth_ > 0 || !protected_;
    mprotect(base_, (used_ + 4095) / 4096 * 4096, reachable ? PROT_READ | PROT_WRITE : PROT_NONE);
  }

  static constexpr std::size_t granule = 256, reserved_bytes = std::size_t{1} << 36;
  std::byte* base_ = nullptr;
  std::size_t used_ = 0;
  std::map<std::byte*, Piece> live_;
  std::multimap<std::size_t, std::byte*> free_;  // by capacity
  int depth_ = 0;
  bool protected_ = true;
};

Memory& memory() {
  static Memory m;
  return m;
}

}  // namespace

DeviceAccess::DeviceAccess() { memory().open(); }
DeviceAccess::~DeviceAccess() { memory().close(); }
void protect_device_memory(bool on) { memory().protect(on); }
bool is_device_memory(const void* at) { return memory().has(static_cast<const std::byte*>(at)); }
std::pair<const std::byte*, std::size_t> device_addresses() { return memory().addresses(); }
void check_device_memory(const char* what, const void* begin, std::size_t bytes) {
  memory().check(what, static_cast<const std::byte*>(begin), bytes);
}

}  // namespace host

std::byte* allocate(std::size_t bytes) {
  host::refuse_while_recording("allocate");
  return host::memory().allocate(bytes);
}
void release(std::byte* memory) noexcept { host::memory().release(memory); }

void allow(std::byte* begin, std::size_t bytes) noexcept {
  if constexpr (host::watches_bounds) host::submit_aside([=] { host::allow(begin, bytes); });
}
void forbid(std::byte* begin, std::size_t bytes) noexcept {
  if constexpr (host::watches_bounds) host::submit_aside([=] { host::forbid(begin, bytes); });
}

}  // namespace gradus::gpu
