#include "11_translator/metrics/numpy_random.hpp"

#include <array>
#include <cstddef>

namespace gradus {
namespace {

constexpr std::size_t pool_size = 4;
using Pool = std::array<std::uint32_t, pool_size>;

/// One round of SeedSequence's hash; `constant` changes from round to round.
std::uint32_t hashed(std::uint32_t value, std::uint32_t& constant, std::uint32_t factor) {
  value ^= constant;
  constant *= factor;
  value *= constant;
  return value ^ value >> 16U;
}

std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t sum = 0xca01f9ddU * x - 0x4973f715U * y;
  return sum ^ sum >> 16U;
}

/// SeedSequence(seed): 128 bits; each of them depends on each bit of the seed.
Pool pool_of(std::uint32_t seed) {
  Pool pool{};
  std::uint32_t constant = 0x43b0d7e5U;
  const auto hash = [&](std::uint32_t value) { return hashed(value, constant, 0x931e8875U); };
  for (std::size_t i = 0; i < pool_size; ++i) pool[i] = hash(i == 0 ? seed : 0);
  for (std::size_t from = 0; from < pool_size; ++from) {
    for (std::size_t to = 0; to < pool_size; ++to) {
      if (from != to) pool[to] = mixed(pool[to], hash(pool[from]));
    }
  }
  return pool;
}

/// generate_state(4, uint64).
std::array<std::uint64_t, 4> seed_words(std::uint32_t seed) {
  const Pool pool = pool_of(seed);
  std::array<std::uint64_t, 4> words{};
  std::uint32_t constant = 0x8b51f9ddU;
  for (std::size_t i = 0; i < 2 * words.size(); ++i) {
    const std::uint64_t half = hashed(pool[i % pool_size], constant, 0x58f38dedU);
    words[i / 2] |= half << (i % 2 == 0 ? 0U : 32U);
  }
  return words;
}

}  // namespace

NumpyRandom::NumpyRandom(std::uint32_t seed) {
  const auto words = seed_words(seed);
  increment_ = (Wide{words[2]} << 64U | words[3]) << 1U | 1U;
  step();
  state_ += Wide{words[0]} << 64U | words[1];
  step();
}

void NumpyRandom::step() {
  constexpr Wide factor = Wide{0x2360ED051FC65DA4ULL} << 64U | 0x4385DF649FCCF645ULL;
  state_ = state_ * factor + increment_;
}

std::uint64_t NumpyRandom::next64() {
  step();
  const std::uint64_t folded = static_cast<std::uint64_t>(state_ >> 64U) ^ static_cast<std::uint64_t>(state_);
  const auto turn = static_cast<unsigned>(state_ >> 122U);
  return folded >> turn | folded << (64U - turn) % 64U;
}

std::uint32_t NumpyRandom::next32() {
  has_upper_half_ = !has_upper_half_;
  if (!has_upper_half_) return upper_half_;
  const std::uint64_t both = next64();
  upper_half_ = static_cast<std::uint32_t>(both >> 32U);
  return static_cast<std::uint32_t>(both);
}

/// Daniel Lemire, "Fast Random Integer Generation in an Interval", 2019: the upper half of a product. If the lower
/// half shows that some numbers would be more frequent than others, it draws again.
std::uint32_t NumpyRandom::below(std::uint32_t n) {
  std::uint64_t product = std::uint64_t{next32()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t least = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{next32()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32U);
}

}  // namespace gradus
