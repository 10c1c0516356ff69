#pragma once
/// \file
/// The logarithm of the probability of every word, by the leaf that finds the likeliest ones.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "09_transformer/log_probs_top_k.hpp"
#include "support/plain.hpp"

namespace gradus::test {

/// log p of every word, in the order of the words.
template <class Dev>
std::vector<double> log_probabilities(std::vector<double> z, std::size_t Vocab) {
  std::vector<double> scores(z.size()), log_p(z.size());
  std::vector<std::int32_t> ids(z.size());
  Dev dev;
  log_probs_top_k(dev, as_rows(scores, Vocab), {ids.data(), {z.size() / Vocab, Vocab}, Vocab}, as_rows(z, Vocab));
  for (std::size_t i = 0; i < z.size(); ++i)
    log_p[i / Vocab * Vocab + static_cast<std::size_t>(ids[i])] = scores[i];
  return log_p;
}

}  // namespace gradus::test
