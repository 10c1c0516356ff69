#include "10_training/data/batches.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

IdPairs pairs_of(std::size_t n) {
  IdPairs pairs;
  for (std::size_t i = 0; i < n; ++i) {
    pairs.source.emplace_back(1 + (7 * i) % 13, 4 + static_cast<std::int32_t>(i % 5));
    pairs.target.emplace_back(1 + (11 * i) % 17, 5 + static_cast<std::int32_t>(i % 3));
  }
  return pairs;
}

}  // namespace

TEST_CASE("batches: every pair once an epoch, never more tokens than allowed") {
  const IdPairs pairs = pairs_of(500);
  for (const BatchOrder order : {BatchOrder::chance, BatchOrder::length}) {
    const BatchList batches = make_batches(pairs, {100, 0, order}, 3, 1);
    std::multiset<std::uint32_t> seen;
    std::size_t fullest = 0;
    for (const auto& batch : batches) {
      std::size_t source = 0, target = 0;
      for (const std::uint32_t i : batch) {
        seen.insert(i);
        source += pairs.source[i].size() + 1;
        target += pairs.target[i].size() + 1;
      }
      CHECK(source <= 100);
      CHECK(target <= 100);
      fullest = std::max({fullest, source, target});
    }
    CHECK(seen.size() == 500);
    CHECK(std::set<std::uint32_t>(seen.begin(), seen.end()).size() == 500);
    CHECK(fullest > 90);  // batches are nearly full, end marks included
  }
}

TEST_CASE("batches: the room for a batch holds every one of them, and no more rows than there are tokens") {
  const IdPairs pairs = pairs_of(200);
  std::vector<std::uint32_t> all(pairs.size());
  std::iota(all.begin(), all.end(), 0U);
  const BatchSize whole = batch_size(all, pairs);
  for (const BatchOptions options : {BatchOptions{60, 0}, {0, 7}, {1000000, 0}, {0, 900, BatchOrder::length}}) {
    const BatchSize room = batch_capacity(pairs, options);
    CHECK(room.source_rows <= whole.source_rows);
    CHECK(room.target_rows <= whole.target_rows);
    CHECK(room.sentences <= whole.sentences);
    for (const auto& batch : make_batches(pairs, options, 1, 1)) {
      const BatchSize used = batch_size(batch, pairs);
      CHECK(used.source_rows <= room.source_rows);
      CHECK(used.target_rows <= room.target_rows);
      CHECK(used.sentences <= room.sentences);
      CHECK(used.longest_source <= room.longest_source);
      CHECK(used.longest_target <= room.longest_target);
    }
  }
}

TEST_CASE("batches: by sentences") {
  const BatchList batches = make_batches(pairs_of(50), {0, 16}, 3, 1);
  REQUIRE(batches.size() == 4);
  CHECK(batches[0].size() == 16);
  CHECK(batches[3].size() == 2);
}

TEST_CASE("batches: they depend only on seed and epoch") {
  const IdPairs pairs = pairs_of(200);
  const BatchList a = make_batches(pairs, {}, 3, 1);
  CHECK(a == make_batches(pairs, {}, 3, 1));
  CHECK(a != make_batches(pairs, {}, 3, 2));
  CHECK(a != make_batches(pairs, {}, 4, 1));
}

TEST_CASE("batches: a pair that fits no batch is an error, and dropped by without_too_long") {
  IdPairs pairs = pairs_of(10);
  pairs.source.emplace_back(200, 4);
  pairs.target.emplace_back(3, 4);
  pairs.source.emplace_back();
  pairs.target.emplace_back(3, 4);
  CHECK_THROWS_AS(make_batches(pairs, {100, 0}, 1, 1), Error);
  std::size_t dropped = 0;
  CHECK(without_too_long(pairs, 100, dropped).size() == 10);
  CHECK(dropped == 2);
}

TEST_CASE("batches: a cut keeps order and balances source + target tokens") {
  const IdPairs pairs = pairs_of(64);
  std::vector<std::uint32_t> batch(64);
  for (std::uint32_t i = 0; i < 64; ++i) batch[i] = 63 - i;
  for (const std::size_t parts : {1, 3, 8}) {
    std::vector<std::uint32_t> joined;
    std::size_t least = 1000000, most = 0;
    for (const auto& part : split_batch(batch, pairs, parts)) {
      std::size_t tokens = 0;
      for (const std::uint32_t i : part) tokens += pairs.source[i].size() + pairs.target[i].size() + 2;
      least = std::min(least, tokens), most = std::max(most, tokens);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    CHECK(joined == batch);
    CHECK(most - least <= 2 * (14 + 18));  // one sentence at each end
  }
  CHECK(split_batch({5}, pairs, 8).size() == 8);  // seven of them empty
}

TEST_CASE("batches: teacher forcing moves the target by one; BOS is never predicted, EOS is") {
  const IdPairs pairs{{{10, 11}, {12}}, {{20, 21, 22}, {23}}};
  const HostBatch b = pack({1, 0}, pairs, {2, 3, 3});
  CHECK(b.source == std::vector<std::int32_t>{12, 3, 10, 11, 3});
  CHECK(b.decoder_input == std::vector<std::int32_t>{2, 23, 2, 20, 21, 22});
  CHECK(b.target == std::vector<std::int32_t>{23, 3, 20, 21, 22, 3});
  CHECK(b.target_segments.begin == std::vector<std::int32_t>{0, 2});
  CHECK(b.target_segments.length == std::vector<std::int32_t>{2, 4});
  CHECK(b.source_segments.longest == 3);
  CHECK(b.source_segments.rows == 5);
  CHECK(std::count(b.target.begin(), b.target.end(), 2) == 0);
}

namespace {

/// The requirements for every sentence of a packed batch: the decoder reads <bos> and then the previous target
/// words; the target ends with <eos> and never contains <bos>.
bool is_teacher_forced(const HostBatch& b, const SentenceMarks& marks) {
  for (std::size_t i = 0; i < b.target_segments.begin.size(); ++i) {
    const auto begin = static_cast<std::size_t>(b.target_segments.begin[i]);
    const auto end = begin + static_cast<std::size_t>(b.target_segments.length[i]);
    if (b.decoder_input[begin] != marks.bos || b.target[end - 1] != marks.target_eos) return false;
    for (std::size_t n = begin; n + 1 < end; ++n) {
      if (b.target[n] != b.decoder_input[n + 1] || b.target[n] == marks.bos) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("batches: a target that is not moved, moved twice, or hides <eos> is no teacher forcing") {
  const IdPairs pairs = pairs_of(5);
  const SentenceMarks marks{2, 3, 3};
  const HostBatch right = pack({4, 1, 3}, pairs, marks);
  CHECK(is_teacher_forced(right, marks));
  HostBatch unmoved = right;  // the input contains the answer: the loss falls to nothing and nothing is learnt
  unmoved.target = unmoved.decoder_input;
  CHECK_FALSE(is_teacher_forced(unmoved, marks));
  HostBatch twice = right;
  std::rotate(twice.target.begin(), twice.target.begin() + 1, twice.target.end());
  CHECK_FALSE(is_teacher_forced(twice, marks));
  HostBatch endless = right;  // a model that never learns <eos> never stops
  std::replace(endless.target.begin(), endless.target.end(), 3, -1);
  CHECK_FALSE(is_teacher_forced(endless, marks));
}
