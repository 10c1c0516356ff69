#pragma once
/// \file
/// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): a counter-based generator.
/// A draw is a pure function of a key and a counter, so any thread of any device can make any draw, in any order. A
/// dropout mask needs no memory: backward draws it again.

#include <array>
#include <cstdint>

namespace gradus {

using Philox4 = std::array<std::uint32_t, 4>;

/// One round: mixes the counter's words and moves the key's words on. A word has 32 bits; Word may be twice as wide.
template <class Word>
constexpr void philox_round(Word& c0, Word& c1, Word& c2, Word& c3, Word& k0, Word& k1) {
  const std::uint64_t a = std::uint64_t{0xD2511F53} * c0, b = std::uint64_t{0xCD9E8D57} * c2;
  c0 = static_cast<Word>(b >> 32) ^ c1 ^ k0;
  c1 = static_cast<Word>(b & 0xFFFFFFFF);
  c2 = static_cast<Word>(a >> 32) ^ c3 ^ k1;
  c3 = static_cast<Word>(a & 0xFFFFFFFF);
  k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF;
  k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF;
}

/// Returns four 32-bit words for one counter under one 64-bit key.
constexpr Philox4 philox(Philox4 counter, std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) philox_round(counter[0], counter[1], counter[2], counter[3], k0, k1);
  return counter;
}

}  // namespace gradus
