// The rules of the search, one by one.

#include "11_translator/search/search.hpp"
#include "chapters/11_translator/naive_search.hpp"
#include "chapters/11_translator/told_search.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;

constexpr std::int32_t pad = 0, bos = 2, eos = 3;

}  // namespace

TEST_CASE("search rules: the length norm is that of Wu et al. 2016") {
  CHECK(length_norm(1, 0.6) == Approx(1.0));
  CHECK(length_norm(7, 1) == Approx(2.0));
  CHECK(length_norm(19, 0.5) == Approx(2.0));
  CHECK(length_norm(40, 0) == Approx(1.0));
}

TEST_CASE("search rules: the tree of the lesson: greedy search misses what a beam of two finds") {
  constexpr std::int32_t der = 4, ein = 5, hund = 6, mann = 7;
  const auto row = [&](const Sentence& words) -> std::vector<std::pair<std::int32_t, double>> {
    const auto logs = [](std::int32_t a, double p, std::int32_t b, double q, double end) {
      return std::vector<std::pair<std::int32_t, double>>{{a, std::log(p)}, {b, std::log(q)}, {eos, std::log(end)}};
    };
    if (words.empty()) return logs(der, 0.5, ein, 0.4, 0.1);
    if (words == Sentence{der}) return logs(hund, 0.4, mann, 0.35, 0.25);
    if (words == Sentence{ein}) return logs(mann, 0.9, hund, 0.05, 0.05);
    if (words == Sentence{der, hund}) return logs(hund, 0.2, mann, 0.2, 0.6);
    return logs(hund, 0.1, mann, 0.1, 0.8);
  };
  const auto search = [&](std::size_t width) {
    Told t(width, 9, 0);
    while (!t.search.open().empty()) {
      std::vector<std::vector<std::pair<std::int32_t, double>>> rows;
      for (const Beam& b : t.search.open()) rows.push_back(row(b.words));
      t.step(rows);
    }
    return t.search.result();
  };
  CHECK(search(1)[0].words == Sentence{der, hund});
  CHECK(std::exp(search(1)[0].log_prob) == Approx(0.12));
  CHECK(search(2)[0].words == Sentence{ein, mann});
  CHECK(std::exp(search(2)[0].log_prob) == Approx(0.288));
  CHECK(search(2)[1].words == Sentence{der, hund});
}

TEST_CASE("search rules: a finished sentence keeps its score and its place, and nothing is added to it") {
  Told t(2, 9);
  t.step({{{6, -0.25}, {eos, -9}, {4, -9}}});
  t.step({{{eos, -0.25}, {4, -0.5}, {5, -3}}, {{eos, -9}, {4, -9}, {5, -9}}});
  REQUIRE(t.search.open().size() == 1);  // the finished one keeps its place: 5 is not added
  CHECK(t.search.open()[0].words == Sentence{6, 4});
  t.step({{{eos, -0.125}, {4, -0.2}, {5, -9}}});
  const NBest best = t.search.result();
  REQUIRE(best.size() == 2);
  CHECK(best[0].words == Sentence{6});
  CHECK(best[0].log_probs == std::vector<double>{-0.25, -0.25});
  CHECK(best[0].score == Approx(-0.5 / std::pow(7.0 / 6, 0.6)));
  CHECK(best[1].words == Sentence{6, 4});
  CHECK(best[1].log_probs == std::vector<double>{-0.25, -0.5, -0.125});
  CHECK(best[1].token_log_prob() == Approx(-0.875 / 3));
  CHECK(best[1].score == Approx(-0.875 / std::pow(8.0 / 6, 0.6)));
  CHECK(t.search.open().empty());
}

TEST_CASE(
    "search rules: who watches sees each beam that is kept, the best of a step first, and which one it continues") {
  SearchOptions o = Told::options(2, 0.6, 2);
  std::vector<Beam> seen;
  o.watch = [&](const Beam& beam) { seen.push_back(beam); };
  Told t(o, 3);
  t.step({{{6, -0.25}, {5, -0.5}, {4, -9}}});
  t.step({{{4, -0.75}, {5, -8}, {eos, -9}}, {{eos, -0.125}, {4, -9}, {5, -9}}});
  t.step({{{eos, -0.375}, {7, -0.5}, {5, -9}}});
  REQUIRE(seen.size() == 5);
  const auto check = [&](std::size_t i, const Sentence& words, std::size_t parent, double log_prob) {
    INFO(i);
    CHECK(seen[i].words == words);
    CHECK(seen[i].parent == parent);
    CHECK(seen[i].log_prob == Approx(log_prob));
  };
  check(0, {6}, 0, -0.25);
  check(1, {5}, 0, -0.5);
  check(2, {5}, 1, -0.625);  // ends: one log probability more than words
  CHECK(seen[2].log_probs.size() == 2);
  check(3, {6, 4}, 0, -1);
  check(4, {6, 4}, 0, -1.375);
}

TEST_CASE("search rules: <eos> is not the first word, unless there is no other") {
  Told t(2, 9);
  t.step({{{eos, -0.01}, {4, -5}, {5, -6}, {pad, -7}, {bos, -8}}});
  REQUIRE(t.search.open().size() == 2);
  CHECK(t.search.open()[0].words == Sentence{4});
  CHECK(t.search.open()[0].log_prob == -5);
  CHECK(t.search.open()[1].words == Sentence{5});
  t.step({{{eos, -1}, {4, -2}}, {{eos, -1}, {4, -2}}});
  CHECK(t.search.result()[0].words == Sentence{4});
  Told only(3, 9);
  only.step({{{pad, -0.1}, {eos, -3}, {bos, -0.2}}});
  REQUIRE(only.search.result().size() == 1);
  CHECK(only.search.result()[0].words.empty());
  CHECK(only.search.result()[0].log_prob == -3);
}

TEST_CASE("search rules: the search ends as soon as no open beam can win") {
  Told t(3, 5, 1, 1);
  t.step({{{4, -0.1}, {5, -9}, {6, -9}}});
  t.step({{{eos, -1.1}, {4, -1.6}, {5, -1.9}}, {{4, -90}, {5, -90}, {eos, -90}}, {{4, -90}, {5, -90}, {eos, -90}}});
  // "4" has -1.2 / (7 / 6) = -1.03. "4 4" can reach -1.7 / (10 / 6) = -1.02, and "4 5" -1.2: only the first could still beat it.
  REQUIRE(t.search.open().size() == 2);
  t.step({{{4, -0.3}, {5, -4}, {eos, -5}}, {{4, -4}, {5, -4}, {eos, -5}}});
  CHECK(t.search.open().empty());  // 4 4 4 reaches -2 / (10 / 6) = -1.2 at best
  CHECK(t.search.result()[0].words == Sentence{4});
}

TEST_CASE("search rules: stopping early changes no answer") {
  std::size_t stopped = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Dice dice(seed);
    const std::size_t width = dice.from(1, 5), n_best = dice.from(1, width);
    const double alpha = dice.one_of({0.0, 0.6, 1.0, 2.0});
    const auto row = [&](const Sentence& words) {  // a random model: its output depends on the words alone
      unsigned hash = seed;
      for (const std::int32_t w : words) hash = 31 * hash + static_cast<unsigned>(w);
      Dice d(hash);
      std::vector<std::pair<std::int32_t, double>> all;
      for (std::int32_t id = 3; id < 9; ++id) all.emplace_back(id, -std::abs(2 * d.normal()) - 0.01);
      return all;
    };
    const auto run = [&](std::size_t wanted, std::size_t& steps) {
      Told t(width, 10, alpha, wanted);
      for (steps = 0; !t.search.open().empty(); ++steps) {
        std::vector<std::vector<std::pair<std::int32_t, double>>> rows;
        for (const Beam& b : t.search.open()) rows.push_back(row(b.words));
        t.step(rows);
      }
      return t.search.result();
    };
    std::size_t early = 0, late = 0;
    const NBest best = run(n_best, early);
    NBest all = run(width, late);  // as many as the beam holds: it ends only when all of them are finished
    all.resize(best.size());
    CHECK(same(best, all));
    stopped += early < late;
  }
  CHECK(stopped > 20);
}

TEST_CASE("search rules: of equal scores the earlier beam wins, then the smaller id") {
  Told t(2, 3, 0);
  t.step({{{7, -1}, {4, -1}, {5, -1}, {6, -1}}});
  REQUIRE(t.search.open().size() == 2);
  CHECK(t.search.open()[0].words == Sentence{4});
  CHECK(t.search.open()[1].words == Sentence{5});
  t.step({{{9, -2}, {8, -2}, {7, -3}, {6, -3}}, {{5, -2}, {6, -2}, {7, -3}, {8, -3}}});
  CHECK(t.search.open()[0].words == Sentence{4, 8});
  CHECK(t.search.open()[1].words == Sentence{4, 9});
}

TEST_CASE("search rules: of equally good finished sentences the one that finished first is better") {
  Told t(2, 9, 0);
  t.step({{{6, -1}, {4, -90}, {5, -90}}});
  t.step({{{eos, -1}, {4, -0.5}, {5, -9}}, {{eos, -90}, {4, -90}, {5, -90}}});
  t.step({{{eos, -0.5}, {4, -1}, {5, -9}}});
  const NBest best = t.search.result();
  REQUIRE(best.size() == 2);
  CHECK(best[0].log_prob == best[1].log_prob);
  CHECK(best[0].words == Sentence{6});
  CHECK(best[1].words == Sentence{6, 4});
}

TEST_CASE("search rules: with equal probabilities the search takes the smallest allowed id") {
  Dice dice(1);
  Dev dev;
  ModelConfig config = tiny_config(dice, 7, 7);
  config.tying = Tying::none;
  const auto model = random_model(dev, config, dice);
  fill(dev, model->params.output.table, 0);
  SearchOptions o;
  o.beam_size = o.n_best = 2;
  o.length_penalty = 0;
  o.decoding.max_length = 3;
  const NBest best = Searcher<Dev>(model->params, config, o).search(dev, {{4, 3}})[0];
  REQUIRE(best.size() == 2);
  CHECK(best[0].words == Sentence{1});  // of 1 (<unk>) and 3 (<eos>) after <unk>, the second is finished first
  CHECK(best[0].log_prob == Approx(-2 * std::log(7.0)));
  CHECK(best[1].words == Sentence{1, 1, 1});
  CHECK_FALSE(best[1].ended);
}

TEST_CASE("search rules: <pad> and <bos> are never chosen, even if they are most probable") {
  Told t(1, 5);
  t.step({{{pad, -0.01}, {bos, -0.02}, {4, -5}}});
  CHECK(t.search.open()[0].words == Sentence{4});
  CHECK(t.search.open()[0].log_prob == -5);
}

TEST_CASE("search rules: a sentence is cut at the longest length, marked as cut, and behind all that ended") {
  Told t(3, 2);
  t.step({{{4, -0.1}, {5, -0.2}, {6, -2}, {eos, -9}}});
  t.step({{{4, -0.1}, {5, -0.4}, {eos, -9}}, {{4, -3}, {5, -4}, {eos, -1}}, {{4, -7}, {5, -8}, {eos, -9}}});
  const NBest best = t.search.result();
  REQUIRE(best.size() == 3);
  CHECK(best[0].words == Sentence{5});  // although its score is the lowest
  CHECK(best[0].ended);
  CHECK(best[0].log_probs.size() == 2);
  CHECK(best[1].words == Sentence{4, 4});
  CHECK_FALSE(best[1].ended);
  CHECK(best[2].words == Sentence{4, 5});
  CHECK(best[2].score > best[0].score);
}

TEST_CASE("search rules: what ended earlier comes before a cut sentence with a higher score") {
  Told t(2, 2, 0, 1);
  t.step({{{4, -0.1}, {5, -1}, {eos, -9}}});
  t.step({{{4, -0.1}, {eos, -3}, {5, -9}}, {{4, -9}, {5, -9}, {eos, -0.5}}});
  REQUIRE(t.search.result().size() == 1);
  CHECK(t.search.result()[0].words == Sentence{5});
  Told early(2, 3, 0, 1);
  early.step({{{4, -0.1}, {5, -9}, {eos, -9}}});
  early.step({{{5, -0.1}, {eos, -3}, {4, -9}}, {{4, -9}, {5, -9}, {eos, -9}}});
  REQUIRE(early.search.open().size() == 1);  // it might end with a higher score
  early.step({{{6, -0.1}, {eos, -9}, {4, -9}}});
  CHECK(early.search.result()[0].words == Sentence{4});
}

TEST_CASE("search rules: the vocabulary may have fewer words than the beam size") {
  Told t(5, 9);
  t.step({{{4, -1}, {eos, -2}}});
  CHECK(t.search.open().size() == 1);
  t.step({{{4, -1}, {eos, -2}}});
  CHECK(t.search.open().size() == 1);
}

TEST_CASE("search rules: wrong options and NaN are errors of one line") {
  Told t(1, 5);
  CHECK_THROWS_WITH(t.step({{{4, std::nan("")}}}), contains("not a number"));
  const auto with = [](auto change) {
    SearchOptions o;
    change(o);
    o.check();
  };
  CHECK_THROWS_AS(with([](SearchOptions& o) { o.beam_size = 0; }), UsageError);
  CHECK_THROWS_AS(with([](SearchOptions& o) { o.n_best = 6; }), UsageError);
  CHECK_THROWS_AS(with([](SearchOptions& o) { o.n_best = 0; }), UsageError);
  CHECK_THROWS_AS(with([](SearchOptions& o) { o.length_penalty = -1; }), UsageError);
  CHECK_THROWS_AS(with([](SearchOptions& o) { o.length_penalty = std::nan(""); }), UsageError);
  CHECK_THROWS_AS(with([](SearchOptions& o) { o.batch_sentences = 0; }), UsageError);
  CHECK_NOTHROW(with([](SearchOptions&) {}));
  SearchOptions huge;  // more rows of the past than an id can number
  huge.beam_size = 10000;
  huge.decoding.length_extra = huge.decoding.max_length = 100000;
  ModelConfig config;
  config.max_length = 100000;
  const std::vector<Sentence> sources{{4, 3}};
  const std::vector<std::vector<std::size_t>> batches{std::vector<std::size_t>(48, 0)};
  const BatchPlaces places = BatchQueue(sources, batches, alone()).places(1, huge, config);
  CHECK_THROWS_WITH(BatchSearch(places, huge, config), contains("too large"));
}
