#include "gradus/gpu/host/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu::host {
namespace {

constexpr std::size_t granule = 256, reserved_bytes = std::size_t{1} << 36;

struct Piece {
  std::size_t bytes, capacity;
};

/// Addresses are reserved once; a page uses memory after the first write to it. Between two pieces there is always
/// a gap, which is out of bounds.
struct Memory {
  Memory() {
    void* const reserved =
        mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) fail("the host layer cannot reserve addresses for device memory");
    base = static_cast<std::byte*>(reserved);
  }

  std::byte* base = nullptr;
  std::size_t used = 0;  // bytes from base, up to the end of the last piece
  std::size_t opened =
      0;  // bytes from base that are accessible: more than `used` if a piece was given back meanwhile
  std::map<std::byte*, Piece> live;
  std::multimap<std::size_t, std::byte*> free;  // by capacity
  int depth = 0;                                // how many DeviceAccess there are
  bool is_protected = true;
};

/// Never destroyed: static objects may give memory back after main, as with CUDA.
Memory& memory() {
  static Memory& m = *new Memory;
  return m;
}

void apply_protection() {
  Memory& m = memory();
  const bool reachable = m.depth > 0 || !m.is_protected;
  const std::size_t bytes = std::max(m.used, m.opened);
  m.opened = reachable ? bytes : 0;
  if (bytes != 0) mprotect(m.base, (bytes + 4095) / 4096 * 4096, reachable ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/// Forgets the free pieces behind the last one in use, so that one large piece does not make all later launches slow.
void forget_free_end() {
  Memory& m = memory();
  std::byte* const end = m.live.empty() ? m.base : m.live.rbegin()->first + m.live.rbegin()->second.capacity;
  m.used = static_cast<std::size_t>(end - m.base);
  for (auto at = m.free.begin(); at != m.free.end();) at = at->second >= end ? m.free.erase(at) : std::next(at);
}

/// Returns a free piece of at least `capacity` bytes, or a new one: its address and its own capacity. Using little memory is
/// fast, because each launch opens and closes all of it.
std::pair<std::byte*, std::size_t> find(std::size_t capacity) {
  Memory& m = memory();
  const auto at = m.free.lower_bound(capacity);
  if (at != m.free.end()) {
    const auto [found, piece] = *at;
    m.free.erase(at);
    return {piece, found};
  }
  if (capacity > reserved_bytes - m.used)
    fail("the GPU has no " + std::to_string(capacity) + " bytes of memory left");
  std::byte* const piece = m.base + m.used;
  m.used += capacity;
  apply_protection();
  return {piece, capacity};
}

}  // namespace

DeviceAccess::DeviceAccess() {
  if (++memory().depth == 1 && memory().is_protected) apply_protection();
}
DeviceAccess::~DeviceAccess() {
  if (--memory().depth == 0 && memory().is_protected) apply_protection();
}

void protect_device_memory(bool on) {
  memory().is_protected = on;
  apply_protection();
}

std::pair<const std::byte*, std::size_t> device_addresses() { return {memory().base, reserved_bytes}; }

bool is_device_memory(const void* at) {
  const Memory& m = memory();
  return at >= m.base && at < m.base + m.used;
}

void check_device_memory(const char* what, const void* begin, std::size_t bytes) {
  const std::map<std::byte*, Piece>& live = memory().live;
  const auto* const from = static_cast<const std::byte*>(begin);
  const auto after = live.upper_bound(const_cast<std::byte*>(from));
  if (after != live.begin()) {
    const auto& [piece, size] = *std::prev(after);
    const auto offset = static_cast<std::size_t>(from - piece);
    if (offset < size.bytes && bytes <= size.bytes - offset) return;
    if (offset < size.bytes) fail(std::string(what) + " reaches past the end of its device memory");
  }
  fail(std::string(what) + " does not point to device memory");
}

std::byte* take_memory(std::size_t bytes, bool fill) {
  // at least one byte more than bytes
  const auto [piece, capacity] = find((bytes + granule) / granule * granule);
  memory().live[piece] = {bytes, capacity};
  const DeviceAccess access;
  allow(piece, bytes);
  if (fill) std::memset(piece, 0xFF, bytes);  // NaN: shows memory that is read before it is written
  forbid(piece + bytes, capacity - bytes);
  return piece;
}

void give_memory_back(std::byte* piece) {
  Memory& m = memory();
  const auto at = m.live.find(piece);
  if (at == m.live.end()) fail("release of memory that allocate did not return");
  forbid(piece, at->second.capacity);
  m.free.emplace(at->second.capacity, piece);
  m.live.erase(at);
  forget_free_end();
}

}  // namespace gradus::gpu::host
