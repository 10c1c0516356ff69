#pragma once
/// \file
/// SHA-256, to check that a file is the expected one.

#include <string>
#include <string_view>

namespace gradus {

/// computes  the SHA-256 digest of `bytes` (FIPS 180-4, section 6.2), as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace gradus
