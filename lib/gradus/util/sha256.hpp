#pragma once
/// \file
/// SHA-256, to check that a file is the expected one.

#include <cstdint>
#include <string>
#include <string_view>

#include "gradus/util/sha256_blocks.hpp"

namespace gradus {

/// computes  the SHA-256 digest of `bytes` (FIPS 180-4, section 6.2), as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same for bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  std::string digest() const;  ///< of all bytes so far

 private:
  Sha256Digest blocks_;  // the digest of the whole blocks
  std::string rest_;     // the bytes that do not fill a block
  std::uint64_t size_ = 0;
};

}  // namespace gradus
