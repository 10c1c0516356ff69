#pragma once
/// \file
/// Batches that a device takes out of a corpus, compared with those that `pack` makes on the host.

#include <numeric>

#include "10_training/data/corpus.hpp"
#include "chapters/10_training/pair_rows.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// 300 pairs of unequal lengths, some sides empty, one side longer than a block of threads.
inline IdPairs uneven_pairs() {
  IdPairs pairs;
  for (std::size_t i = 0; i < 300; ++i) {
    pairs.source.emplace_back(i == 7 ? 300 : (7 * i) % 13), pairs.target.emplace_back((11 * i) % 5);
    std::iota(pairs.source[i].begin(), pairs.source[i].end(), static_cast<std::int32_t>(4 + i));
    std::iota(pairs.target[i].begin(), pairs.target[i].end(), static_cast<std::int32_t>(1000 + 9 * i));
  }
  return pairs;
}

/// More pairs than a block has threads; none; the long one; one whose sides are both empty; the last and some others.
inline BatchList uneven_batches() {
  BatchList batches{std::vector<std::uint32_t>(280), {}, {7}, {0}, {299, 3, 295, 298}};
  std::iota(batches[0].begin(), batches[0].end(), 8U);
  return batches;
}

/// The expected batch: packed, then spare rows of <pad> without a target, and spare sentences without rows.
inline HostBatch packed_for(const std::vector<std::uint32_t>& which, const IdPairs& pairs,
                            const SentenceMarks& marks, const BatchSize& size) {
  HostBatch batch = pack(which, pairs, marks);
  batch.source.resize(size.source_rows, 0);
  batch.decoder_input.resize(size.target_rows, 0);
  batch.target.resize(size.target_rows, -1);
  for (SegmentTable* table : {&batch.source_segments, &batch.target_segments}) {
    table->begin.resize(size.sentences, 0);
    table->length.resize(size.sentences, 0);
  }
  return batch;
}

/// The batch that the device took, copied to the host.
template <class Dev>
HostBatch read_batch(Dev& dev, const Batch<Dev>& batch) {
  HostBatch host;
  read(dev, host.source, batch.source);
  read(dev, host.decoder_input, batch.decoder_input);
  read(dev, host.target, batch.target);
  read(dev, host.source_segments.begin, batch.sources.begin);
  read(dev, host.source_segments.length, batch.sources.length);
  read(dev, host.target_segments.begin, batch.targets.begin);
  read(dev, host.target_segments.length, batch.targets.length);
  return host;
}

inline bool is_same(const HostBatch& a, const HostBatch& b) {
  const auto tables = [](const SegmentTable& x, const SegmentTable& y) {
    return x.begin == y.begin && x.length == y.length;
  };
  return a.source == b.source && a.decoder_input == b.decoder_input && a.target == b.target &&
         tables(a.source_segments, b.source_segments) && tables(a.target_segments, b.target_segments);
}

template <class Dev>
void name_batch(Dev& dev, const Corpus<Dev>& corpus, std::size_t k) {
  StepState state;
  state.first_pair = corpus.first_pair(k);
  state.pairs = static_cast<std::uint32_t>(corpus.batches()[k].size());
  dev.set(state);
}

/// Every batch, in room of its own size and in more room, in memory that held another batch before; from a corpus in
/// both forms.
template <class Dev>
void expect_batches_taken() {
  const IdPairs pairs = uneven_pairs();
  const SentenceMarks marks{2, 3, 5};
  const PairRows rows(pairs, marks);
  for (const PairsView& form : {PairsView(pairs), rows.view()}) {
    Dev dev;
    Corpus<Dev> corpus(dev, form, marks);
    corpus.set_batches(dev, uneven_batches());
    DeviceBatch<Dev> batch;
    for (const std::size_t spare : {0, 1, 150}) {
      for (std::size_t k = 0; k < corpus.batches().size(); ++k) {
        INFO("batch " << k << ", spare " << spare);
        BatchSize size = batch_size(corpus.batches()[k], pairs);
        size.source_rows += spare, size.target_rows += 2 * spare, size.sentences += spare;
        name_batch(dev, corpus, k);
        batch.reserve(size);
        batch.take(dev, corpus);
        CHECK(is_same(read_batch(dev, batch.view()), packed_for(corpus.batches()[k], pairs, marks, size)));
      }
    }
  }
}

}  // namespace gradus::test
