// The two forms of a corpus, vectors and rows, give the same batches and the same bits.

#include "10_training/data/pairs.hpp"

#include <tuple>

#include "chapters/10_training/digits.hpp"
#include "chapters/10_training/pair_rows.hpp"
#include "chapters/10_training/replay.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

auto sizes(const BatchSize& s) {
  return std::tuple(s.source_rows, s.target_rows, s.sentences, s.longest_source, s.longest_target);
}

std::vector<float> trained(const PairsView& pairs, std::size_t threads) {
  Cpu<float> dev;
  Model<Cpu<float>> model(dev, digit_model());
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(threads);
  Trainer<Cpu<float>> trainer(model, pairs, digit_plan(2), workers);
  REQUIRE(trainer.run({}) == Outcome::finished);
  const auto flat = model.flat();
  return {flat.data, flat.data + flat.extent[0]};
}

}  // namespace

TEST_CASE("pairs: rows have the lengths of vectors, and make the same batches") {
  const IdPairs pairs = uneven_corpus();
  const PairRows rows(pairs);
  const PairsView view = rows.view();
  REQUIRE(view.size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    CHECK(view.source_tokens(i) == pairs.source[i].size() + 1);
    CHECK(view.target_tokens(i) == pairs.target[i].size() + 1);
  }
  for (const BatchOptions& options :
       {BatchOptions{30}, BatchOptions{0, 3}, BatchOptions{30, 0, BatchOrder::length}}) {
    const BatchList batches = make_batches(pairs, options, 3, 2);
    CHECK(make_batches(view, options, 3, 2) == batches);
    CHECK(sizes(batch_capacity(view, options)) == sizes(batch_capacity(pairs, options)));
    CHECK(split_batch(batches[0], view, 3) == split_batch(batches[0], pairs, 3));
    CHECK(sizes(batch_size(batches[1], view)) == sizes(batch_size(batches[1], pairs)));
  }
}

TEST_CASE("pairs: a training on rows ends with the bits of one on vectors, for any number of threads") {
  const IdPairs pairs = reversed_digits(300, 1);
  const PairRows rows(pairs);
  const std::vector<float> expected = trained(pairs, 1);
  for (const std::size_t threads : {1, 2, 5}) CHECK(trained(rows.view(), threads) == expected);
}
