#pragma once
/// \file
/// Several products with one first factor, as one launch of cuBLAS. The checks are the same with a GPU and on the host layer.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gradus/ops/gemm.hpp"

namespace gradus {

/// c[i] = a b[i] for each i, as one launch of cuBLAS. Returns false, and writes nothing, if it has none for these arguments: if the
/// list or a product is empty, if the b differ in shape, stride or transposition or the c in stride, and if the matrices do not
/// follow each other at equal distances in memory, the b as well as the c.
/// requires  as many c as b, the shapes of gemm, else Error. No c overlaps another c, a or one of the b.
template <class Real, class Dev = Cuda<Real>>
bool gemm_each(Cuda<Real>& dev, const std::vector<Out<Dev, 2>>& c, Factor<Dev> a,
               const std::vector<Factor<Dev>>& b);

template <class Dev>
void check_gemm_each(const std::vector<Out<Dev, 2>>& c, const Factor<Dev>& a, const std::vector<Factor<Dev>>& b) {
  if (c.size() != b.size())
    fail("gemm_each: " + std::to_string(c.size()) + " results and " + std::to_string(b.size()) + " factors");
  for (std::size_t i = 0; i < c.size(); ++i) check_gemm<Dev>(c[i], a, b[i]);
}

/// From one matrix of a launch to the next, in elements.
struct EachDistance {
  std::int64_t b = 0, c = 0;
};

template <class T>
std::int64_t elements_between(const T* from, const T* to) {  // addresses: they may belong to different allocations
  return (reinterpret_cast<std::intptr_t>(to) - reinterpret_cast<std::intptr_t>(from)) /
         static_cast<std::int64_t>(sizeof(T));
}

/// The distances of a launch of `gemm_each`; nothing if there is none for these arguments.
template <class Dev>
std::optional<EachDistance> distance_for_each(const std::vector<Out<Dev, 2>>& c, const Factor<Dev>& a,
                                              const std::vector<Factor<Dev>>& b) {
  if (c.empty() || is_empty_product<Dev>(c[0], a)) return std::nullopt;
  EachDistance first;
  for (std::size_t i = 1; i < c.size(); ++i) {
    const EachDistance d{elements_between(b[i - 1].matrix.data, b[i].matrix.data),
                         elements_between(c[i - 1].data, c[i].data)};
    if (i == 1) first = d;
    const bool are_alike = b[i].matrix.extent == b[0].matrix.extent && b[i].matrix.stride == b[0].matrix.stride &&
                           b[i].transposed == b[0].transposed && c[i].stride == c[0].stride;
    if (!are_alike || d.b <= 0 || d.c <= 0 || d.b != first.b || d.c != first.c) return std::nullopt;
  }
  return first;
}

}  // namespace gradus
