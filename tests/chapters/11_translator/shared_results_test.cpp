// The translations that ranks have computed travel to all ranks.

#include "11_translator/search/shared_results.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The result of batch b: `b` sentences, each with two translations.
std::vector<NBest> result_of(std::size_t b) {
  std::vector<NBest> sentences;
  for (std::size_t s = 0; s < b; ++s) {
    const double x = 100.0 * static_cast<double>(b) + static_cast<double>(s);
    const auto id = static_cast<std::int32_t>(10 * b + s);
    sentences.push_back(
        {{{id, id + 1000}, {-x, -x - 0.25, -0.5}, -x - 0.5, -x / 3, true}, {{}, {-x / 7}, -x / 8, -x / 9, false}});
  }
  return sentences;
}

bool same(const Translation& a, const Translation& b) {
  return a.words == b.words && a.log_probs == b.log_probs && a.log_prob == b.log_prob && a.score == b.score &&
         a.ended == b.ended;
}

}  // namespace

TEST_CASE("shared results: every rank gets all batches, more of them than ranks, in their places") {
  for (const std::size_t size : {1, 2, 3}) {
    for (const std::size_t batches : {0, 1, 5, 7}) {
      std::vector<std::vector<std::vector<NBest>>> of_rank(size);
      const auto errors = on_ranks(size, [&](Ranks& ranks) {
        std::vector<std::vector<NBest>>& results = of_rank[ranks.rank()];
        results.resize(batches);
        for (std::size_t b = ranks.rank(); b < batches; b += size) results[b] = result_of(b);
        exchange_results(ranks, results);
      });
      CHECK(errors == std::vector<std::string>(size));
      for (const auto& results : of_rank) {
        for (std::size_t b = 0; b < batches; ++b) {
          INFO(size << " ranks, batch " << b);
          const std::vector<NBest> expected = result_of(b);
          REQUIRE(results[b].size() == expected.size());
          for (std::size_t s = 0; s < expected.size(); ++s)
            CHECK(std::equal(results[b][s].begin(), results[b][s].end(), expected[s].begin(), expected[s].end(),
                             same));
        }
      }
    }
  }
}
