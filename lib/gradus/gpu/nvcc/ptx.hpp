#pragma once
/// \file
/// What is written in PTX, the GPU's assembler.

#include <cuda_runtime.h>

namespace gradus::gpu {

/// 16 bytes, as numbers of any type.
struct alignas(16) Bytes16 {
  unsigned x, y, z, w;
};

/// One access each. They are written in PTX because the compiler divides a copy of 16 bytes where it can share a part of it with other
/// code, such as the path for addresses that are not aligned.
inline __device__ Bytes16 load_16(const void* at) {
  Bytes16 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(__cvta_generic_to_global(at))
               : "memory");
  return v;
}
inline __device__ void store_16(void* at, const Bytes16& v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(__cvta_generic_to_global(at)), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
               : "memory");
}

}  // namespace gradus::gpu
