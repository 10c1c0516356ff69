// Which sentences are searched together, and when the next ones begin.

#include <numeric>

#include "11_translator/search/batch_search.hpp"
#include "11_translator/translator/translator_model.hpp"
#include "chapters/11_translator/tiny_models.hpp"
#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;

const std::vector<Sentence>& of_many_lengths() {
  static const std::vector<Sentence> all = [] {
    std::vector<Sentence> made;
    for (const std::size_t n : {3, 9, 1, 4, 4, 30, 2}) made.emplace_back(n, 3);
    return made;
  }();
  return all;
}

}  // namespace

TEST_CASE("search batches: sorted by length, full but not too full, every sentence once") {
  const std::vector<Sentence>& sources = of_many_lengths();
  SearchOptions o;
  o.batch_sentences = 3;
  o.batch_tokens = 13;
  CHECK(search_batches(sources, o, 1) == std::vector<std::vector<std::size_t>>{{5}, {1, 3}, {4, 0, 6}, {2}});
}

TEST_CASE("search batches: full ones do not depend on the number of workers") {
  const std::vector<Sentence> sources(48, Sentence(56, 3));
  SearchOptions o;
  CHECK(search_batches(sources, o, 1) != search_batches(sources, o, 2));
  o.full_batches = true;
  for (const std::size_t workers : {2, 3, 8})
    CHECK(search_batches(sources, o, workers) == search_batches(sources, o, 1));
  const auto of_training = TranslateOptions::same_bits(2);
  CHECK(of_training.threads == 2);
  const SearchOptions asked = search_options<Dev>(of_training);
  CHECK(search_batches(sources, asked, 2) == search_batches(sources, asked, 1));
  CHECK(search_batches(sources, search_options<Dev>({}), 2) != search_batches(sources, asked, 2));
  CHECK(search_batches(sources, asked, 1).front().size() == 9);  // 512 tokens on a processor
}

TEST_CASE("search batches: a few are as many for each worker, and of about equal size") {
  const auto tokens = [](std::size_t sentences, std::size_t words, std::size_t workers) {
    const std::vector<Sentence> sources(sentences, Sentence(words, 3));
    std::vector<std::size_t> sizes;
    for (const auto& batch : search_batches(sources, {}, workers)) sizes.push_back(batch.size() * words);
    return sizes;
  };
  CHECK(tokens(24, 240, 1) == std::vector<std::size_t>{1920, 1920, 1920});
  CHECK(tokens(24, 240, 2) == std::vector<std::size_t>{1440, 1440, 1440, 1440});
  CHECK(tokens(48, 56, 2) == std::vector<std::size_t>{1344, 1344});
  CHECK(tokens(2, 10, 4) == std::vector<std::size_t>{10, 10});
  CHECK(tokens(400, 10, 2) == std::vector<std::size_t>{480, 480, 480, 480, 480, 480, 480, 480, 160});  // many: full
  CHECK(tokens(0, 10, 2).empty());
}

namespace {

struct Steps {
  std::size_t count = 0, most_rows = 0, most_tokens = 0;
};

/// The steps of greedy searches of 64 sentences. At each word one in ten ends.
Steps steps_of(const SearchOptions& o, std::size_t length = 4) {
  const std::vector<Sentence> sources(64, Sentence(length, 3));
  const auto batches = search_batches(sources, o, 1);
  BatchQueue queue(sources, batches, alone());
  BatchSearch search(queue.places(1, o, {}), o, {});
  Steps steps;
  Dice dice(7);
  while (true) {
    while (search.begin_next(queue)) continue;
    if (!search.open()) break;
    const StepTable step = search.step();
    const std::size_t N = step.ids.size();
    ++steps.count;
    steps.most_rows = std::max(steps.most_rows, N);
    const auto& tokens = step.sources.length;
    steps.most_tokens = std::max(steps.most_tokens, std::accumulate(tokens.begin(), tokens.end(), std::size_t{0}));
    std::vector<std::int32_t> ids;
    for (std::size_t n = 0; n < N; ++n) ids.push_back(dice.from(1, 10) == 1 ? o.decoding.specials.eos : 5);
    for (auto& ended : search.extend(std::vector<double>(N, -1.0), ids, 1)) queue.keep(std::move(ended));
  }
  for (std::size_t b = 0; b < batches.size(); ++b) CHECK(queue.results()[b].size() == batches[b].size());
  return steps;
}

}  // namespace

TEST_CASE("search batches: another one begins when enough sentences have ended, so there are fewer steps") {
  SearchOptions o;
  o.beam_size = 1, o.batch_sentences = 16;
  o.decoding.length_factor = 10;
  const Steps one_by_one = steps_of(o);
  o.parts = 4;
  const Steps beside = steps_of(o);
  CHECK(one_by_one.most_rows == 16);
  CHECK(beside.most_rows == 16);
  CHECK(beside.count * 4 < one_by_one.count * 3);
  o.batch_tokens = 32;
  CHECK(steps_of(o).most_tokens == 32);
  CHECK(steps_of(o, 12).most_tokens == 24);  // each is longer than a part
  CHECK(steps_of(o, 40).most_tokens == 40);  // each is longer than all parts
  o.full_batches = true;
  const Steps full = steps_of(o);
  o.parts = 1;
  CHECK(full.count == steps_of(o).count);
}

TEST_CASE("search batches: the batches of a searcher that has several open are parts, and have places") {
  const std::vector<Sentence>& sources = of_many_lengths();
  SearchOptions o;
  o.batch_sentences = 12;
  o.batch_tokens = 52;
  o.parts = 4;
  const auto batches = search_batches(sources, o, 1);
  CHECK(batches == std::vector<std::vector<std::size_t>>{{5}, {1, 3}, {4, 0, 6}, {2}});
  const auto places = [&](std::size_t searchers) {
    return BatchQueue(sources, batches, alone()).places(searchers, o, {}).count;
  };
  CHECK(places(1) == 4);  // all batches
  CHECK(places(3) == 2);  // so that each of three has some
  o.parts = 2;
  CHECK(places(1) == 3);
  o.full_batches = true;
  CHECK(places(1) == 1);
  CHECK(search_batches(sources, o, 1) == std::vector<std::vector<std::size_t>>{{5, 1, 3, 4, 0, 6}, {2}});
  CHECK(search_options<Dev>({}).parts == 1);
  CHECK(search_options<Cuda<double>>({}).parts == 4);
}

TEST_CASE("search batches: another one begins as soon as enough sentences have ended, in a place of its own") {
  const std::vector<Sentence> sources(20, Sentence(3, 3));
  SearchOptions o;
  o.beam_size = 1, o.batch_sentences = 16, o.parts = 4;
  const auto batches = search_batches(sources, o, 1);
  BatchQueue queue(sources, batches, alone());
  BatchSearch search(queue.places(1, o, {}), o, {});
  const std::size_t rows = search.source_rows() / 5;  // five batches, so five places
  for (std::size_t b = 0; b < 4; ++b) CHECK(search.begin_next(queue)->first == b * rows);
  CHECK_FALSE(search.begin_next(queue));
  const auto step = [&](std::size_t ends) {  // the first `ends` of each batch of four
    std::vector<std::int32_t> ids;
    const std::size_t N = search.step().ids.size();
    for (std::size_t n = 0; n < N; ++n) ids.push_back(n % 4 < ends ? o.decoding.specials.eos : 5);
    search.extend(std::vector<double>(N, -1.0), ids, 1);
  };
  step(0);
  CHECK_FALSE(search.begin_next(queue));
  step(1);
  REQUIRE(search.step().ids.size() == 12);
  CHECK(search.begin_next(queue)->first == 4 * rows);
  CHECK(search.step().ids.size() == 16);
  CHECK(search.step().sources.begin.back() == static_cast<std::int32_t>(4 * rows + 9));
}

TEST_CASE("search batches: an SSRU keeps one row for each beam, and reads that of the beam that it continues") {
  const std::vector<Sentence> sources(2, Sentence(3, 3));
  SearchOptions o;
  o.beam_size = 3;
  ModelConfig config;
  config.decoder_unit = DecoderUnit::ssru;
  const auto batches = search_batches(sources, o, 1);
  BatchQueue queue(sources, batches, alone());
  BatchSearch search(queue.places(1, o, config), o, config);
  CHECK(search.past_rows() == 6);
  REQUIRE(search.begin_next(queue));
  StepTable step = search.step();
  CHECK(step.at == std::vector<std::int32_t>{0, 3});
  CHECK((step.from.empty() && step.to.empty() && step.past.begin.empty()));  // no state before the first word
  const std::vector<double> scores{-1, -2, -3, -1, -2, -3};
  search.extend(scores, {5, 6, 7, 5, 6, 7}, 3);
  step = search.step();
  CHECK(step.at == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
  CHECK(step.from == std::vector<std::int32_t>{0, 0, 0, 3, 3, 3});
  CHECK(step.to == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
  std::vector<double> second(18, -9);
  std::vector<std::int32_t> ids(18, 8);
  for (std::size_t i = 0; i < 18; ++i) ids[i] = static_cast<std::int32_t>(5 + i % 3);
  second[3] = second[4] = second[6] = 0;  // of the first sentence: two continue beam 1, one beam 2
  search.extend(second, ids, 3);
  step = search.step();
  REQUIRE(step.at.size() == 6);
  CHECK(std::vector<std::int32_t>(step.at.begin(), step.at.begin() + 3) == std::vector<std::int32_t>{1, 0, 2});
  CHECK(std::vector<std::int32_t>(step.from.begin(), step.from.begin() + 3) == std::vector<std::int32_t>{1, 1, 2});
}

TEST_CASE("search batches: the ranks take turns") {
  std::vector<Sentence> sources;
  std::vector<std::vector<std::size_t>> batches;
  for (std::size_t n = 0; n < 8; ++n) sources.emplace_back(8 - n, 3), batches.push_back({n});
  SearchOptions o;
  o.parts = 4;
  std::vector<std::vector<std::size_t>> taken(3);
  std::vector<std::size_t> sizes(3);
  std::vector<BatchPlaces> places(3);
  on_ranks(3, [&](Ranks& ranks) {
    const std::size_t r = ranks.rank();
    BatchQueue queue(sources, batches, ranks);
    sizes[r] = queue.size();
    places[r] = queue.places(1, o, {});
    while (const auto batch = queue.take()) taken[r].push_back(batch->number);
  });
  CHECK(taken == std::vector<std::vector<std::size_t>>{{0, 3, 6}, {1, 4, 7}, {2, 5}});
  CHECK(sizes == std::vector<std::size_t>{3, 3, 2});
  CHECK((places[0].count == 3 && places[1].count == 3 && places[2].count == 2));
  CHECK((places[0].room.longest_source == 8 && places[2].room.longest_source == 6));
}
