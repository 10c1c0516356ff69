#pragma once
/// \file
/// Vectors of the processor in the compiler's language: numbers that one instruction computes together.

#include <cstddef>
#include <cstring>
#include <utility>

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
  using type __attribute__((vector_size(register_bytes))) = Real;
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

/// Rows of numbers, `stride` apart.
template <class Real>
struct Strided {
  const Real* data;
  std::size_t stride;
};

// Adding the elements of one vector is slow. `sums` does it for a whole register of vectors: they are halved in pairs, so that the
// halves of two vectors become one vector, until one is left, which holds the sum of each.

/// The place in (v, w) of element i of the first or second halves. v and w consist of groups of `size` elements.
template <std::size_t size>
constexpr int half(std::size_t i, bool second) {
  return static_cast<int>(i / (size / 2) * size + i % (size / 2) + (second ? size / 2 : 0));
}

/// The groups of v, then those of w; each group of `size` is added to one of half the size.
template <std::size_t size, class V, std::size_t... i>
V halved(V v, V w, std::index_sequence<i...>) {
  return __builtin_shufflevector(v, w, half<size>(i, false)...) +
         __builtin_shufflevector(v, w, half<size>(i, true)...);
}

/// Element j is the sum of the elements of partial[from + j]; every vector of `partial` is one group of vector_width.
template <class Real, std::size_t size = 1>
Vector<Real> sums(const Vector<Real>* partial, std::size_t from = 0) {
  constexpr std::size_t width = vector_width<Real>;
  if constexpr (size == width) {
    return partial[from];
  } else {
    const Vector<Real> left = sums<Real, 2 * size>(partial, from),
                       right = sums<Real, 2 * size>(partial, from + width / (2 * size));
    return halved<2 * size>(left, right, std::make_index_sequence<width>());
  }
}

/// The larger element at each place.
template <class Real>
Vector<Real> larger(Vector<Real> v, Vector<Real> w) {
  return v > w ? v : w;
}

/// v with neighbouring groups of `size` elements exchanged.
template <std::size_t size, class V, std::size_t... i>
V exchanged(V v, std::index_sequence<i...>) {
  return __builtin_shufflevector(v, v, static_cast<int>(i ^ size)...);
}

/// The sum of the elements of one vector, and the largest of them, in as few steps as halving takes.
template <class Real, std::size_t size = vector_width<Real> / 2>
Real sum_of_elements(Vector<Real> v) {
  v += exchanged<size>(v, std::make_index_sequence<vector_width<Real>>());
  if constexpr (size > 1) return sum_of_elements<Real, size / 2>(v);
  return v[0];
}
template <class Real, std::size_t size = vector_width<Real> / 2>
Real largest_element(Vector<Real> v) {
  v = larger<Real>(v, exchanged<size>(v, std::make_index_sequence<vector_width<Real>>()));
  if constexpr (size > 1) return largest_element<Real, size / 2>(v);
  return v[0];
}

}  // namespace gradus
