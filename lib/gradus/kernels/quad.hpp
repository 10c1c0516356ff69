#pragma once
/// \file
/// Four neighbouring numbers of a row. A draw of Philox has four words, so a thread takes four columns; and a GPU moves
/// 16 bytes in one access, a quarter of the instructions of four accesses.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gradus/gpu/language.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::gpu {

template <class Real>
using Quad = std::array<Real, 4>;

/// Whether a GPU may move the four numbers at `at` as pieces of 16 bytes.
template <class Real>
__device__ bool is_aligned_quad(const Real* at) {
  return reinterpret_cast<std::uintptr_t>(at) % sizeof(Bytes16) == 0;
}

/// Whether each row of x begins at an aligned address.
template <class Real>
bool has_aligned_rows(View<const Real, 2, Gpu> x) {
  return reinterpret_cast<std::uintptr_t>(x.data) % sizeof(Bytes16) == 0 &&
         x.stride * sizeof(Real) % sizeof(Bytes16) == 0;
}

/// A quad as pieces of 16 bytes: one of float, two of double.
template <class Real>
struct QuadPieces {
  static constexpr std::size_t count = sizeof(Quad<Real>) / sizeof(Bytes16), numbers = 4 / count;
  Bytes16 piece[count];
};

/// The four numbers at an aligned address.
template <class Real>
__device__ Quad<Real> load_aligned_quad(const Real* at) {
  QuadPieces<Real> all;
  for (std::size_t p = 0; p < all.count; ++p) all.piece[p] = load_16(at + p * all.numbers);
  Quad<Real> x;
  std::memcpy(&x, &all, sizeof x);
  return x;
}

/// Columns first .. first + 3 of a row of n; 0 for those that do not exist.
template <class Real>
__device__ Quad<Real> load_quad(const Real* row, std::size_t first, std::size_t n) {
  const Real* const at = row + first;
  if (first + 4 <= n && is_aligned_quad(at)) return load_aligned_quad(at);
  Quad<Real> x{};
  for (std::size_t k = 0; k < 4 && first + k < n; ++k) x[k] = at[k];
  return x;
}

/// The same columns become x, as far as they exist.
template <class Real>
__device__ void store_quad(Real* row, std::size_t first, std::size_t n, const Quad<Real>& x) {
  Real* const at = row + first;
  if (first + 4 <= n && is_aligned_quad(at)) {
    QuadPieces<Real> all;
    std::memcpy(&all, &x, sizeof x);
    for (std::size_t p = 0; p < all.count; ++p) store_16(at + p * all.numbers, all.piece[p]);
  } else {
    for (std::size_t k = 0; k < 4 && first + k < n; ++k) at[k] = x[k];
  }
}

template <class Real>
__device__ void add_quad(Quad<Real>& sum, const Quad<Real>& more) {
  for (std::size_t k = 0; k < 4; ++k) sum[k] += more[k];
}

}  // namespace gradus::gpu
