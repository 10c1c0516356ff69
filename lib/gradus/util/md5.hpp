#pragma once
/// \file
/// MD5, only to check files whose publishers give no other digest. Who makes both files can give two of them the same
/// MD5 digest; sha256() has no such weakness.

#include <string>
#include <string_view>

namespace gradus {

/// computes  the MD5 digest of `bytes` (RFC 1321, section 3), as 32 hexadecimal digits.
std::string md5(std::string_view bytes);

}  // namespace gradus
