#pragma once
/// \file
/// A search that is told what a model might compute, so that each rule can be tested alone.

#include "11_translator/search/search_host.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// A search with given model outputs: row b of each step holds (id, log probability) pairs for beam b.
struct Told {
  SentenceSearch search;

  Told(std::size_t width, std::size_t longest, double alpha = 0.6, std::size_t n_best = 0)
      : search(options(width, alpha, n_best), longest) {}
  Told(const SearchOptions& o, std::size_t longest) : search(o, longest) {}

  static SearchOptions options(std::size_t width, double alpha, std::size_t n_best) {
    SearchOptions o;
    o.beam_size = width;
    o.n_best = n_best == 0 ? width : n_best;
    o.length_penalty = alpha;
    return o;
  }
  void step(const std::vector<std::vector<std::pair<std::int32_t, double>>>& beams) {
    REQUIRE(beams.size() == search.open().size());
    std::vector<double> scores;
    std::vector<std::int32_t> ids;
    for (const auto& beam : beams) {
      for (const auto& [id, log_prob] : beam) ids.push_back(id), scores.push_back(log_prob);
    }
    search.extend(scores.data(), ids.data(), beams[0].size());
  }
};

}  // namespace gradus::test
