#pragma once
/// \file
/// NVIDIA_TF32_OVERRIDE, a variable of the environment, can make NVIDIA's libraries compute other products of float than a
/// program asks for.

#include <cstdlib>
#include <string>

#include "gradus/device/products.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

/// The reason why a GPU would compute other products than these, in one line that says what to do; "" if there is none.
/// `value` is the variable's, null if it is not set. NVIDIA documents the value 0: no tf32, whatever a program asks
/// for. All other values are reserved for future use; cuBLAS takes 1 as a wish for tf32.
inline std::string tf32_override(Products products, const char* value) {
  const std::string set = value == nullptr ? "" : value, name = "NVIDIA_TF32_OVERRIDE=" + set;
  if (products == Products::exact && !set.empty() && set != "0")
    return name +
           " may make cuBLAS round the factors of exact products, also those of validation and translation: "
           "unset it, or set it to 0";
  if (products == Products::tf32 && set == "0")
    return name + " makes cuBLAS compute exact products instead of tf32 ones: unset it, or choose exact products";
  return "";
}

/// The same, with the value that the environment has now.
inline std::string tf32_override(Products products) {
  return tf32_override(products, std::getenv("NVIDIA_TF32_OVERRIDE"));
}

/// Throws Error if a GPU would compute other products than these.
inline void require_no_override(Products products) {
  if (const std::string reason = tf32_override(products); !reason.empty()) fail(reason);
}

}  // namespace gradus
