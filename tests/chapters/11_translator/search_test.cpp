// The search against brute force, on random tiny models in double.

#include "11_translator/search/search.hpp"
#include "chapters/11_translator/naive_search.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;
constexpr unsigned draws = 500;
constexpr double smallest_gap = 1e-9;  // rounding may rank scores that are closer either way

/// One draw: a model, a few sentences, and options to search with.
struct Draw {
  Dice dice;
  Dev dev;
  std::unique_ptr<Model<Dev>> model;
  std::vector<Sentence> sources;
  SearchOptions options;

  Draw(unsigned seed, std::size_t smallest_vocab, std::size_t largest_vocab) : dice(seed) {
    const ModelConfig config = tiny_config(dice, smallest_vocab, largest_vocab);
    model = random_model(dev, config, dice);
    for (std::size_t n = dice.from(1, 4); n > 0; --n) {
      sources.push_back(random_sentence(dice, config.source_vocab, 7));
    }
    options.beam_size = dice.from(1, 5);
    options.n_best = dice.from(1, options.beam_size);
    options.length_penalty = dice.one_of({0.0, 0.6, 1.0, 1.8});
    options.decoding.length_factor = dice.one_of({0.5, 1.0, 1.5});
    options.decoding.length_extra = dice.from(1, 5);
  }

  std::vector<NBest> search(const std::vector<Sentence>& batch) {
    return Searcher<Dev>(model->params, model->config, options).search(dev, batch);
  }
  std::size_t longest(const Sentence& source) const {
    return longest_translation(source.size(), options.decoding, model->config);
  }
};

}  // namespace

TEST_CASE("search: its encoder gives what chapter 09's gives, with memory for the caches of one layer") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Draw draw(seed, 6, 9);
    ModelConfig config = draw.model->config.without_dropout();
    config.encoder_layers = 4;
    Dice dice(seed);
    const auto model = random_model(draw.dev, config, dice);
    std::vector<std::int32_t> ids, lengths;
    for (const Sentence& source : draw.sources) {
      ids.insert(ids.end(), source.begin(), source.end());
      lengths.push_back(static_cast<std::int32_t>(source.size()));
    }
    Dev whole, small;
    for (Dev* dev : {&whole, &small}) dev->kept.poisoned = dev->scratch.poisoned = true;
    const auto source_of = [&](Dev& dev) {
      return std::pair(on_device(dev, ids), on_device(dev, SegmentTable::packed(lengths)));
    };
    const auto [all, all_segments] = source_of(whole);
    TransformerCache<Dev> c;
    encode(whole, c, all, all_segments, model->params, config);
    const auto [some, some_segments] = source_of(small);
    const In<Dev, 2> memory = encode_source(small, some, some_segments, model->params, config);
    std::vector<double> expected, found;
    read(whole, expected, as_vector(c.memory()));
    read(small, found, as_vector(memory));
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-12));
    CHECK(small.kept.high_water() < whole.kept.high_water() / 2);
  }
}

TEST_CASE("search: in a batch, alone and without a past give the same translations, 500 models") {
  std::size_t compared = 0, skipped = 0, longer_than_one = 0;
  for (unsigned seed = 0; seed < draws; ++seed) {
    Draw draw(seed, 6, 9);
    const std::vector<NBest> batch = draw.search(draw.sources);
    REQUIRE(batch.size() == draw.sources.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Oracle oracle(*draw.model, draw.sources[i]);
      const NaiveResult naive = naive_search(oracle, draw.options, draw.longest(draw.sources[i]));
      if (naive.gap <= smallest_gap) {
        ++skipped;
        continue;
      }
      INFO("draw " << seed << ", sentence " << i << ", width " << draw.options.beam_size);
      CHECK(same(batch[i], naive.best));
      CHECK(same(batch[i], draw.search({draw.sources[i]})[0]));
      ++compared;
      longer_than_one += batch[i][0].words.size() > 1;
    }
  }
  CHECK(compared > 1000);
  CHECK(skipped < 10);
  CHECK(longer_than_one > compared / 4);  // the draws are not trivial
}

TEST_CASE("search: a beam of width 1 is chapter 09's greedy search, always") {
  std::size_t words = 0, cut = 0, ended = 0;
  for (unsigned seed = 0; seed < draws; ++seed) {
    Draw draw(seed, 6, 9);
    draw.options.beam_size = draw.options.n_best = 1;
    const auto greedy =
        greedy_decode(draw.dev, draw.sources, draw.model->params, draw.model->config, draw.options.decoding);
    const auto found = draw.search(draw.sources);
    for (std::size_t i = 0; i < found.size(); ++i) {
      INFO("draw " << seed << ", sentence " << i);
      REQUIRE(found[i].size() == 1);
      CHECK(found[i][0].words == greedy[i]);
      words += greedy[i].size();
      ++(found[i][0].ended ? ended : cut);
    }
  }
  CHECK(words > 1000);
  CHECK(cut > 50);  // both ways to end occurred
  CHECK(ended > 50);
}

TEST_CASE("search: a beam as wide as all sentences there are finds what exhaustive search finds") {
  std::size_t skipped = 0;
  for (unsigned seed = 0; seed < draws; ++seed) {
    Draw draw(1000 + seed, 5, 6);
    draw.sources.resize(1);
    const std::size_t vocab = draw.model->config.target_vocab, longest = draw.dice.from(1, 3);
    draw.options.decoding.max_length = longest;
    draw.options.beam_size = 1;
    for (std::size_t t = 0; t < longest; ++t) draw.options.beam_size *= vocab;
    draw.options.n_best = draw.dice.from(1, vocab - 4);
    draw.options.decoding.length_extra = 3;
    Oracle oracle(*draw.model, draw.sources[0]);
    const NaiveResult all = exhaustive_search(oracle, draw.options, longest);
    if (all.gap <= smallest_gap) {
      ++skipped;
      continue;
    }
    INFO("draw " << seed << ", longest " << longest << ", n best " << draw.options.n_best);
    CHECK(same(draw.search(draw.sources)[0], all.best));
  }
  CHECK(skipped < 5);
}

TEST_CASE("search: Reference and Cpu find the same") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Draw draw(seed, 6, 9);
    Reference<double> formulas;
    Model<Reference<double>> model(formulas, draw.model->config);
    std::vector<double> weights;
    read(draw.dev, weights, In<Dev, 1>(draw.model->flat()));
    write(formulas, model.flat(), weights);
    const auto slow =
        Searcher<Reference<double>>(model.params, model.config, draw.options).search(formulas, draw.sources);
    const auto fast = draw.search(draw.sources);
    for (std::size_t i = 0; i < fast.size(); ++i) CHECK(same(fast[i], slow[i]));
  }
}

TEST_CASE("search: every known mistake changes some results") {
  const auto differences = [](Mistake mistake) {
    std::size_t different = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
      Draw draw(seed, 6, 9);
      const Sentence& source = draw.sources[0];
      Oracle oracle(*draw.model, source);
      const NaiveResult wrong = naive_search(oracle, draw.options, draw.longest(source), mistake);
      different += !same(draw.search({source})[0], wrong.best);
    }
    return different;
  };
  CHECK(differences(Mistake::none) == 0);
  const std::vector<std::pair<const char*, Mistake>> known = {{"finished-lost", Mistake::finished_lost},
                                                              {"finished-extended", Mistake::finished_extended},
                                                              {"finished-rescored", Mistake::finished_rescored},
                                                              {"raw-logits", Mistake::raw_logits},
                                                              {"copies-at-first", Mistake::copies_at_first},
                                                              {"first-finished", Mistake::first_finished},
                                                              {"penalty-forgotten", Mistake::penalty_forgotten},
                                                              {"marks-said", Mistake::marks_said},
                                                              {"nothing-said", Mistake::nothing_said}};
  for (const auto& [name, mistake] : known) {
    INFO("wrong search " << name);
    CHECK(differences(mistake) >= 5);
  }
}
