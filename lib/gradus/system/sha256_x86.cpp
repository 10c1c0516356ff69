#include <cpuid.h>
#include <immintrin.h>

#include "gradus/util/sha256_blocks.hpp"

namespace gradus {
namespace {

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned sha = 1U << 29U;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0 && __builtin_cpu_supports("sse4.1");
}

/// The next four words of the schedule, from the 16 before, oldest first.
[[gnu::target("sha,sse4.1")]] __m128i next_words(const __m128i (&w)[4]) {
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4));
  return _mm_sha256msg2_epu32(sum, w[3]);
}

/// One block. The instructions hold the letters a b e f in one register, c d g h in the other, a and c highest.
[[gnu::target("sha,sse4.1")]] void add_block(__m128i& abef, __m128i& cdgh, const char* block) {
  const __m128i highest_first = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i abef_before = abef, cdgh_before = cdgh;
  __m128i w[4];
  for (int i = 0; i < 4; ++i) {
    w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i), highest_first);
  }
  for (std::size_t round = 0; round < 64; round += 4) {
    const auto* const constants = reinterpret_cast<const __m128i*>(&sha256_constants[round]);
    const __m128i sum = _mm_add_epi32(w[0], _mm_loadu_si128(constants));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    const __m128i next = next_words(w);
    w[0] = w[1], w[1] = w[2], w[2] = w[3], w[3] = next;
  }
  abef = _mm_add_epi32(abef, abef_before);
  cdgh = _mm_add_epi32(cdgh, cdgh_before);
}

[[gnu::target("sha,sse4.1")]] void add_blocks(Sha256Digest& digest, const char* blocks, std::size_t count) {
  const auto [a, b, c, d, e, f, g, h] = digest;
  const auto word = [](std::uint32_t x) { return static_cast<int>(x); };
  __m128i abef = _mm_set_epi32(word(a), word(b), word(e), word(f)),
          cdgh = _mm_set_epi32(word(c), word(d), word(g), word(h));
  for (std::size_t i = 0; i < count; ++i) add_block(abef, cdgh, blocks + 64 * i);
  std::uint32_t low[4], high[4];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(low), abef);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(high), cdgh);
  digest = {low[3], low[2], high[3], high[2], low[1], low[0], high[1], high[0]};
}

}  // namespace

bool add_sha256_blocks_fast(Sha256Digest& digest, const char* blocks, std::size_t count) {
  static const bool fast = has_instructions();
  if (fast) add_blocks(digest, blocks, count);
  return fast;
}

}  // namespace gradus
