#include "gradus/util/md5.hpp"

#include <array>
#include <cmath>

#include "gradus/util/message_blocks.hpp"

namespace gradus {
namespace {

using Word = std::uint32_t;
using Digest = std::array<Word, 4>;

/// Section 3.3.
constexpr Digest initial = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

/// The rotations of the four rounds, section 3.4.
constexpr int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/// Section 3.4: T[i + 1], the integer part of 2^32 |sin(i + 1)|, with the angle in radians.
std::array<Word, 64> sines() {
  std::array<Word, 64> t;
  for (std::size_t i = 0; i < t.size(); ++i)
    t[i] = static_cast<Word>(std::floor(std::ldexp(std::abs(std::sin(static_cast<double>(i + 1))), 32)));
  return t;
}

Word rotate(Word x, int n) { return x << n | x >> (32 - n); }

/// F, G, H and I of section 3.4.
Word mixed(std::size_t round, Word x, Word y, Word z) {
  switch (round) {
    case 0:
      return (x & y) | (~x & z);
    case 1:
      return (x & z) | (y & ~z);
    case 2:
      return x ^ y ^ z;
    default:
      return y ^ (x | ~z);
  }
}

/// The word of the block that step i of a round reads, section 3.4.
std::size_t place(std::size_t round, std::size_t i) {
  constexpr std::size_t factor[] = {1, 5, 3, 7}, first[] = {0, 1, 5, 0};
  return (first[round] + factor[round] * i) % 16;
}

void add_block(Digest& digest, const char* block) {
  static const std::array<Word, 64> t = sines();
  std::array<Word, 16> x{};
  for (std::size_t i = 0; i < 64; ++i) x[i / 4] |= Word{static_cast<unsigned char>(block[i])} << i % 4 * 8;
  auto [a, b, c, d] = digest;
  for (std::size_t step = 0; step < 64; ++step) {
    const std::size_t round = step / 16, i = step % 16;
    const Word sum = a + mixed(round, b, c, d) + x[place(round, i)] + t[step];
    a = d, d = c, c = b, b += rotate(sum, rotations[round][i % 4]);
  }
  digest = {digest[0] + a, digest[1] + b, digest[2] + c, digest[3] + d};
}

}  // namespace

std::string md5(std::string_view bytes) {
  Digest digest = initial;
  pass_blocks(bytes, ByteOrder::lowest_first, [&](const char* blocks, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add_block(digest, blocks + 64 * i);
  });
  return hexadecimal(digest, ByteOrder::lowest_first);
}

}  // namespace gradus
