#pragma once
/// \file
/// The random numbers of numpy.random.default_rng(seed), which sacreBLEU uses: Melissa O'Neill's PCG64, XSL-RR
/// variant ("PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
/// Generation", 2014), seeded by numpy's SeedSequence.

#include <cstdint>

namespace gradus {

class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed);

  /// A number from 0 to n - 1, as integers(0, n) draws it. n > 0.
  std::uint32_t below(std::uint32_t n);

 private:
  __extension__ using Wide = unsigned __int128;

  void step();
  std::uint64_t next64();
  std::uint32_t next32();

  Wide state_ = 0, increment_ = 0;
  std::uint32_t upper_half_ = 0;  // of the last 64 bits: the next 32
  bool has_upper_half_ = false;
};

}  // namespace gradus
