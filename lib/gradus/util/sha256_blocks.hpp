#pragma once
/// \file
/// The blocks of SHA-256: by the processor's own instructions where it has them, and without.

#include <array>
#include <cstddef>
#include <cstdint>

namespace gradus {

using Sha256Digest = std::array<std::uint32_t, 8>;

/// Section 4.2.2 of FIPS 180-4: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
extern const std::array<std::uint32_t, 64> sha256_constants;

/// Processes `count` blocks of 64 bytes (FIPS 180-4, section 6.2.2).
void add_sha256_blocks(Sha256Digest& digest, const char* blocks, std::size_t count);

/// The same by instructions for SHA-256. Returns false, and does nothing, on a processor without them.
bool add_sha256_blocks_fast(Sha256Digest& digest, const char* blocks, std::size_t count);

}  // namespace gradus
