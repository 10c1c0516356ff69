#pragma once
/// \file
/// Converts values to bytes and back, for the sources of safetensors only.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gradus/io/half.hpp"
#include "gradus/io/safetensors_header.hpp"

namespace gradus {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the format keeps values as a little-endian machine does");

/// Returns f(a zero of the type that is stored).
template <class F>
auto with_type(StoredType type, const F& f) {
  switch (type) {
    case StoredType::U8:
      return f(std::uint8_t{});
    case StoredType::I32:
      return f(std::int32_t{});
    case StoredType::I64:
      return f(std::int64_t{});
    case StoredType::F16:
      return f(Half{});
    case StoredType::F32:
      return f(float{});
    case StoredType::F64:
      break;
  }
  return f(double{});
}

/// Converts `value` to another type. Returns false if a finite value became infinite. (A widening conversion never
/// does that, and integers are never narrowed here.)
template <class To, class From>
bool convert(To& to, From from) {
  to = static_cast<To>(from);
  if constexpr (std::is_integral_v<From>)
    return true;
  else
    return std::isfinite(static_cast<double>(to)) || !std::isfinite(static_cast<double>(from));
}

/// memcpy, because values in a file may have any alignment.
template <class Stored, class To>
bool unpack_values(To* values, const char* stored, std::size_t count) {
  bool fits = true;
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, stored + i * sizeof value, sizeof value);
    fits &= convert(values[i], value);
  }
  return fits;
}

template <class Stored, class From>
bool pack_values(char* stored, const From* values, std::size_t count) {
  bool fits = true;
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    fits &= convert(value, values[i]);
    std::memcpy(stored + i * sizeof value, &value, sizeof value);
  }
  return fits;
}

}  // namespace gradus
