#include "gradus/util/sha256.hpp"

#include "gradus/util/message_blocks.hpp"
#include "gradus/util/sha256_blocks.hpp"

namespace gradus {

const std::array<std::uint32_t, 64> sha256_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

namespace {

using Word = std::uint32_t;

/// Section 5.3.3: the same for the square roots of the first eight primes.
constexpr Sha256Digest initial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

Word rotate(Word x, int n) { return x >> n | x << (32 - n); }

/// Processes one block, section 6.2.2, with the standard's letters.
void add_block(Sha256Digest& digest, const char* block) {
  std::array<Word, 64> w;
  for (std::size_t t = 0; t < 16; ++t) {
    w[t] = 0;
    for (std::size_t i = 0; i < 4; ++i) w[t] = w[t] << 8 | static_cast<unsigned char>(block[4 * t + i]);
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const Word s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
    const Word s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }

  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word choice = (e & f) ^ (~e & g);
    const Word majority = (a & b) ^ (a & c) ^ (b & c);
    const Word t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + sha256_constants[t] + w[t];
    const Word t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const Sha256Digest added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] += added[i];
}

}  // namespace

void add_sha256_blocks(Sha256Digest& digest, const char* blocks, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_block(digest, blocks + 64 * i);
}

namespace {

void add_blocks(Sha256Digest& digest, const char* blocks, std::size_t count) {
  if (!add_sha256_blocks_fast(digest, blocks, count)) add_sha256_blocks(digest, blocks, count);
}

}  // namespace

Sha256::Sha256() : blocks_(initial) {}

void Sha256::add(std::string_view bytes) {
  size_ += bytes.size();
  if (!rest_.empty()) {
    const std::string_view filling = bytes.substr(0, message_block - rest_.size());
    rest_ += filling;
    bytes.remove_prefix(filling.size());
    if (rest_.size() < message_block) return;
    add_blocks(blocks_, rest_.data(), 1);
    rest_.clear();
  }
  const std::size_t whole = bytes.size() / message_block;
  add_blocks(blocks_, bytes.data(), whole);
  rest_ = bytes.substr(whole * message_block);
}

std::string Sha256::digest() const {
  const std::string tail = last_blocks(rest_, size_, ByteOrder::highest_first);
  Sha256Digest all = blocks_;
  add_blocks(all, tail.data(), tail.size() / message_block);
  return hexadecimal(all, ByteOrder::highest_first);
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

}  // namespace gradus
