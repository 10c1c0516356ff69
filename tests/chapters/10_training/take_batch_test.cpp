#include "chapters/10_training/take_batch_case.hpp"
#include "gradus/util/error.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("take_sentences: the batch is the packed one, spare rows and sentences as agreed") {
  expect_batches_taken<Reference<double>>();
  expect_batches_taken<Cpu<float>>();
}

TEST_CASE("take_sentences: a batch that does not fit, and an order that ends too early, are errors") {
  Cpu<double> dev;
  const IdPairs pairs = uneven_pairs();
  Corpus<Cpu<double>> corpus(dev, pairs, {});
  corpus.set_batches(dev, uneven_batches());
  DeviceBatch<Cpu<double>> batch;
  batch.reserve({100, 100, 3, 50, 50});
  name_batch(dev, corpus, 4);
  CHECK_THROWS_WITH(batch.take(dev, corpus), contains("no room for all its pairs"));
  const BatchSize enough = batch_size(corpus.batches()[4], pairs);
  for (auto rows : {&BatchSize::source_rows, &BatchSize::target_rows}) {
    BatchSize size = enough;
    --(size.*rows);
    batch.reserve(size);
    CHECK_THROWS_WITH(batch.take(dev, corpus), contains("no room for all its rows"));
  }
  StepState state;
  state.first_pair = 299, state.pairs = 2;
  dev.set(state);
  CHECK_THROWS_WITH(batch.take(dev, corpus), contains("order ends"));
}

TEST_CASE("device batch: memory that was reserved for a batch serves the next one of its size") {
  DeviceBatch<Cpu<float>> batch;
  const BatchSize size{40, 50, 3, 20, 20};
  for (int i = 0; i < 2; ++i) batch.reserve(size);  // the second time makes one block of all pieces
  const std::int32_t* const ids = batch.view().source.data;
  const StepSizes sizes = batch.sizes();  // and the number of allocations
  for (int i = 0; i < 3; ++i) batch.reserve(size);
  CHECK(batch.view().source.data == ids);
  CHECK(batch.sizes() == sizes);
}
