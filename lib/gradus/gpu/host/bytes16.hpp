#pragma once
/// \file
/// Accesses of 16 bytes on the host.

#include <cstring>

namespace gradus::gpu {

struct alignas(16) Bytes16 {
  unsigned x, y, z, w;
};
inline Bytes16 load_16(const void* at) {
  Bytes16 v;
  std::memcpy(&v, __builtin_assume_aligned(at, sizeof v), sizeof v);
  return v;
}
inline void store_16(void* at, const Bytes16& v) {
  std::memcpy(__builtin_assume_aligned(at, sizeof v), &v, sizeof v);
}

}  // namespace gradus::gpu
