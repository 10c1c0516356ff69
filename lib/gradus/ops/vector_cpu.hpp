#pragma once
/// \file
/// Vectors of the processor in the compiler's language: numbers that one instruction computes together.

#include <cstddef>
#include <cstring>

namespace gradus {

#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;  // the size of a register, and how many of them a row of a tile takes
constexpr int tile_registers = 4;
#elif defined(__AVX__)
constexpr std::size_t register_bytes = 32;
constexpr int tile_registers = 2;
#elif defined(__aarch64__)
constexpr std::size_t register_bytes = 16;
constexpr int tile_registers = 4;
#else
constexpr std::size_t register_bytes = 16;
constexpr int tile_registers = 2;
#endif

template <class Real>
struct VectorOf {
  typedef Real type __attribute__((vector_size(register_bytes)));
};
template <class Real>
using Vector = typename VectorOf<Real>::type;

/// Numbers in a register.
template <class Real>
constexpr std::size_t vector_width = register_bytes / sizeof(Real);

template <class Real>
Vector<Real> load(const Real* from) {
  Vector<Real> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class Real>
void store(Real* to, Vector<Real> v) {
  std::memcpy(to, &v, sizeof v);
}

}  // namespace gradus
