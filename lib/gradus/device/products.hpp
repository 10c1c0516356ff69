#pragma once
/// \file
/// How a device multiplies matrices of float.

#include "gradus/util/names.hpp"

namespace gradus {

/// In all three modes sums and stored values are float. The last two modes round the factors as tensor cores read
/// them: faster and less precise. Only a GPU has these two. Products of double are always exact.
enum class Products {
  exact,  ///< float, 24 bits of precision
  tf32,   ///< factors of 11 bits
  bf16    ///< factors of 8 bits
};

template <>
struct Names<Products> {
  static constexpr const char* noun = "kind of products";
  static constexpr Name<Products> table[] = {
      {Products::exact, "exact"}, {Products::tf32, "tf32"}, {Products::bf16, "bf16"}};
};

}  // namespace gradus
