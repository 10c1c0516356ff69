#pragma once
/// \file
/// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): a counter-based generator.
/// A draw is a pure function of a key and a counter, so any thread of any device can make any draw, in any order. A
/// dropout mask needs no memory: backward draws it again.

#include <array>
#include <cstdint>

namespace gradus {

using Philox4 = std::array<std::uint32_t, 4>;

/// Returns four 32-bit words for one counter under one 64-bit key.
constexpr Philox4 philox(Philox4 counter, std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

}  // namespace gradus
