#pragma once
/// \file
/// How a device multiplies matrices of float.

#include <string>

#include "gradus/util/error.hpp"

namespace gradus {

/// In all three modes sums and stored values are float. The last two modes round the factors as tensor cores read
/// them: faster and less precise. Only a GPU has these two. Products of double are always exact.
enum class Products {
  exact,  ///< float, 24 bits of precision
  tf32,   ///< factors of 11 bits
  bf16    ///< factors of 8 bits
};

inline constexpr const char* products_names[] = {"exact", "tf32", "bf16"};

inline const char* products_name(Products products) { return products_names[static_cast<int>(products)]; }

/// Throws UsageError for any other word.
inline Products products_named(const std::string& name) {
  for (int i = 0; i < 3; ++i) {
    if (name == products_names[i]) return static_cast<Products>(i);
  }
  throw UsageError("products are exact, tf32 or bf16, not " + name);
}

}  // namespace gradus
