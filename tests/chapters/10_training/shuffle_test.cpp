#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "10_training/data/batches.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Pairs of these lengths, end marks not counted.
IdPairs pairs_of(const std::vector<std::size_t>& sources, const std::vector<std::size_t>& targets) {
  IdPairs pairs;
  for (const std::size_t n : sources) pairs.source.emplace_back(n, 4);
  for (const std::size_t n : targets) pairs.target.emplace_back(n, 5);
  return pairs;
}

IdPairs equal_pairs(std::size_t n) {
  return pairs_of(std::vector<std::size_t>(n, 2), std::vector<std::size_t>(n, 3));
}

/// The order of the pairs in an epoch.
std::vector<std::uint32_t> order(const BatchList& batches) {
  std::vector<std::uint32_t> result;
  for (const auto& batch : batches) result.insert(result.end(), batch.begin(), batch.end());
  return result;
}

/// How far counts are from equal: sum of (count - mean)^2 / mean over `cells` outcomes.
template <class Key>
double chi_square(const std::map<Key, int>& counts, std::size_t cells, double draws) {
  const double mean = draws / static_cast<double>(cells);
  double sum = static_cast<double>(cells - counts.size()) * mean;  // outcomes that never occurred
  for (const auto& [key, n] : counts) sum += (n - mean) * (n - mean) / mean;
  return sum;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> items) {
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace

TEST_CASE("shuffle: all 24 orders of four pairs are equally likely, over seeds and over epochs") {
  const IdPairs four = equal_pairs(4);
  for (const bool over_seeds : {true, false}) {
    std::map<std::vector<std::uint32_t>, int> counts;
    for (std::uint32_t i = 1; i <= 4800; ++i) {
      ++counts[order(make_batches(four, {0, 4}, over_seeds ? i : 7, over_seeds ? 1 : i))];
    }
    CHECK(counts.size() == 24);
    CHECK(chi_square(counts, 24, 4800) < 49.7);  // 23 degrees of freedom: one fair shuffle in a thousand exceeds it
  }
}

TEST_CASE(
    "shuffle: all 24 orders of four batches by length are equally likely, and the pairs in them are shuffled") {
  // Two pairs fill a batch of 8 tokens; batches have different lengths, so that their order is visible.
  const IdPairs pairs = pairs_of({1, 1, 3, 3}, {1, 1, 3, 3});
  const IdPairs eight = pairs_of({3, 3, 3, 3}, {0, 1, 2, 3});
  std::map<std::vector<std::uint32_t>, int> of_batches, of_pairs;
  for (std::uint32_t seed = 1; seed <= 4800; ++seed) {
    ++of_batches[order(make_batches(eight, {4, 0, BatchOrder::length}, seed, 1))];
    ++of_pairs[order(make_batches(pairs, {4, 0, BatchOrder::length}, seed, 1))];
  }
  CHECK(of_batches.size() == 24);
  CHECK(chi_square(of_batches, 24, 4800) < 49.7);
  CHECK(of_pairs.size() == 4 * 3);  // {0, 1} is one batch in either order, among two batches of one pair each
  CHECK(chi_square(of_pairs, 12, 4800) < 31.3);  // 11 degrees of freedom
}

// The orders for seeds and epochs must never change: another build resumes a run and must end with the same bits.
TEST_CASE("shuffle: the orders of tests/golden/make_orders.py") {
  using Order = std::vector<std::uint32_t>;
  const IdPairs ten = pairs_of(std::vector<std::size_t>(10, 0), {2, 0, 3, 0, 4, 8, 1, 5, 4, 2});
  const auto shuffled = [&](std::uint64_t seed, std::uint32_t epoch) {
    return order(make_batches(ten, {0, 10}, seed, epoch));
  };
  constexpr std::uint64_t wide = (7ULL << 32) + 1;  // both halves of a seed count
  CHECK(shuffled(1, 1) == Order{8, 3, 5, 2, 0, 1, 6, 9, 4, 7});
  CHECK(shuffled(1, 2) == Order{2, 6, 7, 4, 1, 9, 0, 3, 5, 8});
  CHECK(shuffled(2, 1) == Order{6, 7, 0, 3, 4, 8, 2, 1, 5, 9});
  CHECK(shuffled(wide, 3) == Order{3, 1, 4, 7, 2, 9, 6, 8, 5, 0});
  const auto by_length = [&](std::uint64_t seed, std::uint32_t epoch) {
    return make_batches(ten, {9, 0, BatchOrder::length}, seed, epoch);
  };
  CHECK(by_length(1, 1) == BatchList{{7}, {8}, {9, 2}, {5}, {3, 1, 6, 0}, {4}});
  CHECK(by_length(1, 2) == BatchList{{5}, {7}, {0, 2}, {1, 3, 6, 9}, {8}, {4}});
  CHECK(by_length(2, 1) == BatchList{{8}, {3, 1, 6, 0}, {7}, {5}, {4}, {9, 2}});
  CHECK(by_length(wide, 3) == BatchList{{5}, {3, 1, 6, 9}, {0, 2}, {7}, {8}, {4}});
}

TEST_CASE("shuffle: no two epochs and no two seeds have the same order") {
  const IdPairs pairs = equal_pairs(40);
  for (const BatchOptions options :
       {BatchOptions{30, 0}, {30, 0, BatchOrder::length}, {0, 5}, {0, 5, BatchOrder::length}}) {
    std::set<std::vector<std::uint32_t>> seen;
    for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL, (1ULL << 32) + 1}) {
      for (std::uint32_t epoch = 1; epoch <= 10; ++epoch) {
        const auto found = order(make_batches(pairs, options, seed, epoch));
        CHECK(seen.insert(found).second);
        CHECK_FALSE(std::is_sorted(found.begin(), found.end()));
      }
    }
  }
}

TEST_CASE("batches: every pair exactly once in every epoch, however batches are made") {
  std::vector<std::size_t> sources, targets;
  for (std::size_t i = 0; i < 60; ++i) sources.push_back(1 + (7 * i) % 13), targets.push_back(1 + (11 * i) % 17);
  const IdPairs pairs = pairs_of(sources, targets);
  std::vector<std::uint32_t> all(60);
  for (std::uint32_t i = 0; i < 60; ++i) all[i] = i;
  for (const BatchOptions options :
       {BatchOptions{18, 0}, {50, 0, BatchOrder::length}, {0, 7}, {0, 7, BatchOrder::length}}) {
    for (std::uint32_t epoch = 1; epoch <= 5; ++epoch) {
      const BatchList batches = make_batches(pairs, options, 3, epoch);
      CHECK(sorted(order(batches)) == all);
      for (const auto& batch : batches) CHECK_FALSE(batch.empty());
    }
  }
}

TEST_CASE("batches: by length a batch holds neighbours, and the longest pair is among them") {
  std::vector<std::size_t> sources, targets;
  for (std::size_t i = 0; i < 48; ++i) sources.push_back(2), targets.push_back(1 + (5 * i) % 16);
  const IdPairs pairs = pairs_of(sources, targets);
  std::vector<std::pair<std::size_t, std::size_t>> spans;  // shortest and longest target of each batch
  bool moved = false;
  std::size_t last = 0;
  for (const auto& batch : make_batches(pairs, {40, 0, BatchOrder::length}, 3, 1)) {
    std::size_t shortest = 1000, longest = 0;
    for (const std::uint32_t i : batch) {
      shortest = std::min(shortest, pairs.target[i].size());
      longest = std::max(longest, pairs.target[i].size());
    }
    moved = moved || shortest < last;
    last = shortest;
    spans.emplace_back(shortest, longest);
  }
  CHECK(moved);  // from short to long in one epoch, the model would forget the short ones
  std::sort(spans.begin(), spans.end());
  for (std::size_t i = 1; i < spans.size(); ++i) CHECK(spans[i - 1].second <= spans[i].first);
  CHECK(spans.back().second == 16);
}

TEST_CASE("batches: a batch is full at its limit and not before, on either side") {
  const IdPairs pairs = pairs_of({4, 4, 4, 4}, {1, 1, 1, 1}), turned = pairs_of({1, 1, 1, 1}, {4, 4, 4, 4});
  for (const IdPairs& p : {pairs, turned}) {
    CHECK(make_batches(p, {10, 0}, 1, 1).size() == 2);  // two pairs of 5 tokens each
    CHECK(make_batches(p, {9, 0}, 1, 1).size() == 4);
    CHECK(make_batches(p, {20, 0}, 1, 1).size() == 1);
    CHECK(make_batches(p, {5, 0}, 1, 1).size() == 4);
    CHECK_THROWS_WITH(make_batches(p, {4, 0}, 1, 1), contains("has 5 tokens, a batch holds 4"));
  }
  CHECK(make_batches(pairs, {1, 2}, 1, 1).size() == 2);  // with sentences, tokens do not count
}

TEST_CASE("batches: a pair of exactly the longest length stays, one token more goes, on either side") {
  const IdPairs pairs = pairs_of({9, 10, 3, 3, 0, 1, 9}, {3, 3, 9, 10, 1, 0, 9});
  std::size_t dropped = 0;
  const IdPairs kept = without_too_long(pairs, 10, dropped);
  CHECK(dropped == 4);
  REQUIRE(kept.size() == 3);
  CHECK((kept.source[0].size() == 9 && kept.target[0].size() == 3));
  CHECK((kept.source[1].size() == 3 && kept.target[1].size() == 9));
  CHECK((kept.source[2].size() == 9 && kept.target[2].size() == 9));
  without_too_long(kept, 10, dropped);
  CHECK(dropped == 0);
  for (const BatchOrder by : {BatchOrder::chance, BatchOrder::length}) {
    // the remaining pairs can be trained on
    CHECK(order(make_batches(kept, {10, 0, by}, 1, 1)).size() == 3);
  }
}

TEST_CASE("batches: the room of a batch is its rows, sentences and longest sentences, end marks counted") {
  const IdPairs pairs = pairs_of({3, 8, 1, 5}, {6, 2, 9, 1});
  const BatchSize room = batch_size({3, 0, 2}, pairs);
  CHECK(room.source_rows == 6 + 4 + 2);
  CHECK(room.target_rows == 2 + 7 + 10);
  CHECK(room.sentences == 3);
  CHECK(room.longest_source == 6);
  CHECK(room.longest_target == 10);
}

TEST_CASE("batches: a sentence goes to the part where its middle falls") {
  const IdPairs pairs = pairs_of({1, 1, 1, 1, 5, 1}, {1, 1, 1, 1, 5, 1});  // 4 tokens each, one has 12
  CHECK(split_batch({0, 1, 2, 3}, pairs, 2) == BatchList{{0, 1}, {2, 3}});
  CHECK(split_batch({0, 1, 2, 3}, pairs, 4) == BatchList{{0}, {1}, {2}, {3}});
  CHECK(split_batch({4, 0, 1, 2}, pairs, 2) == BatchList{{4}, {0, 1, 2}});
  CHECK(split_batch({0, 4, 1}, pairs, 3) == BatchList{{0}, {4}, {1}});
  CHECK(split_batch({5}, pairs, 3) == BatchList{{}, {5}, {}});
}

TEST_CASE("pairs for validation: so many different ones, in their order, by the seed alone") {
  const auto ten = chosen_pairs(10, 97, 5);
  REQUIRE(ten.size() == 10);
  CHECK(std::is_sorted(ten.begin(), ten.end()));
  CHECK(std::adjacent_find(ten.begin(), ten.end()) == ten.end());
  CHECK(ten.back() < 97);
  CHECK(chosen_pairs(10, 97, 5) == ten);
  CHECK(chosen_pairs(10, 97, 6) != ten);
  CHECK(chosen_pairs(0, 97, 5).empty());
  CHECK(chosen_pairs(97, 97, 5).back() == 96);
  CHECK_THROWS_AS(chosen_pairs(98, 97, 5), Error);
  std::vector<int> times(31);  // each number has the same chance
  for (std::uint64_t seed = 0; seed < 3100; ++seed) {
    for (const std::uint32_t i : chosen_pairs(7, 31, seed)) ++times[i];
  }
  for (const int n : times) CHECK(std::abs(n - 700) < 120);  // 5 standard deviations
}
