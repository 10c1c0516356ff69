#pragma once
/// \file
/// Sentences for timing: from a file of ids, or artificial ones, which pytorch.py makes in the same way.

#include <string>

#include "11_translator/data/id_file.hpp"

namespace gradus::test {

/// The same random numbers on every machine: the linear congruential generator of the C standard's example.
class Draw {
 public:
  std::uint32_t below(std::uint32_t n) {
    state_ = (1103515245U * state_ + 12345U) % 0x80000000U;
    return (state_ >> 16U) % n;
  }

 private:
  std::uint32_t state_ = 1;
};

/// Pairs as long as Multi30k's are in 6,000 subwords: about 15 tokens a side, one sentence in 32 much longer, the
/// target as long as the source give or take three. The words are drawn at random.
IdPairs made_pairs(std::size_t count, std::size_t vocab);

/// Throws Error, one line, for a file that cannot be read or is no file of ids.
IdCorpus read_ids(const std::string& path);

/// The first `most` batches of at most `tokens` source and target tokens, end marks counted, in the order of the pairs.
BatchList batches_in_order(const IdPairs& pairs, std::size_t tokens, std::size_t most);

}  // namespace gradus::test
