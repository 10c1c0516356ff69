#pragma once
/// \file
/// Translation of sentences that are ids: greedy and beam search over a cache of keys and values, in batches. The
/// decisions stand in search_host.hpp. Sizes: N open beams, K width, Ns source rows, R cache rows.

#include <algorithm>
#include <atomic>

#include "11_translator/cached_decoder.hpp"
#include "11_translator/search_host.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

/// A list of ids in a device's memory: room for the largest, and the part that is in use or that the device computes
/// anyway, which then holds `filler`.
template <class Dev>
class IntTable {
 public:
  IntTable(Stack<typename Dev::Real, typename Dev::Space>& memory, std::size_t capacity, std::int32_t filler)
      : room_(memory.ints(capacity)), filler_(filler) {}

  Ints<Dev, 1> put(Dev& dev, std::vector<std::int32_t> values) const {
    values.resize(dev.room(values.size(), room_.extent[0]), filler_);
    const OutInts<Dev, 1> used = slice(room_, 0, values.size());
    write(dev, used, values);
    return used;
  }

 private:
  OutInts<Dev, 1> room_;
  std::int32_t filler_;
};
/// The same for segments; beyond those in use they are empty.
template <class Dev>
class SegmentsTable {
 public:
  SegmentsTable(Stack<typename Dev::Real, typename Dev::Space>& memory, std::size_t capacity, std::size_t rows,
                std::size_t longest)
      : begin_(memory, capacity, 0), length_(memory, capacity, 0), rows_(rows), longest_(longest) {}

  Segments<Dev> put(Dev& dev, const SegmentTable& t) const {
    return {begin_.put(dev, t.begin), length_.put(dev, t.length), dev.room(t.rows, rows_),
            dev.room(t.longest, longest_)};
  }

 private:
  IntTable<Dev> begin_, length_;
  std::size_t rows_, longest_;
};

/// Translates batches with one model. It owns what outlives a step, allocated by the capacity of a batch; the model
/// is only read, so any number of searchers, each with a device of its own, may share it.
template <class Dev>
class Searcher {
 public:
  using Real = typename Dev::Real;

  Searcher(const TransformerParams<Dev>& params, const ModelConfig& config, const SearchOptions& options)
      : p_(params), config_(config.without_dropout()), options_(options) {
    options.check();
  }

  /// The n best translations of each sentence (ids, <eos> at the end). Takes whole steps of `dev`: what its
  /// workspace held is given back.
  std::vector<NBest> search(Dev& dev, const std::vector<Sentence>& sources) {
    BatchSearch batch(sources, options_, config_);
    if (sources.empty()) return {};
    reserve(batch);
    read_sources(dev, sources, batch.sources());
    std::vector<Real> values;
    std::vector<double> scores;
    std::vector<std::int32_t> ids;
    while (batch.open()) {
      const DecodingStep<Dev> step = on_the_device(dev, batch.step());
      const std::size_t N = step.ids.extent[0];
      const Out<Dev, 2> logits = rows(logits_, 0, N), best = rows(scores_, 0, N);
      const OutInts<Dev, 2> words = rows(ids_, 0, N);
      dev.run_step(sizes(1, N, step.sources, step.history.longest), [&] {
        project(dev, logits, cached_decoder_forward(dev, memory_, step, p_, config_), p_);
        log_probs_top_k(dev, best, words, logits);
      });
      read(dev, values, In<Dev, 1>(as_vector(best)));
      read(dev, ids, Ints<Dev, 1>(as_vector(words)));
      scores.assign(values.begin(), values.end());
      batch.extend(scores, ids, best.extent[1]);
    }
    return batch.results();
  }

 private:
  /// A row has two words that are never said, so its best K + 2 hold all that could be among the best K of all
  /// rows.
  std::size_t candidates() const { return std::min(config_.target_vocab, options_.width + 2); }

  void reserve(const BatchSearch& batch) {
    const std::size_t D = config_.d_model, N = batch.beams(), A = batch.sources().begin.size();
    storage_.settle();
    memory_ = {};
    for (std::size_t l = 0; l < config_.decoder_layers; ++l) {
      memory_.source.push_back(storage_.matrix(batch.sources().rows, 2 * D));
      memory_.history.push_back(storage_.matrix(batch.cache_rows(), 2 * D));
    }
    logits_ = storage_.matrix(N, config_.target_vocab);
    scores_ = storage_.matrix(N, candidates());
    ids_ = as_matrix(storage_.ints(N * candidates()), N, candidates());
    int_tables_.clear();
    segment_tables_.clear();
    const std::size_t R = batch.cache_rows(), Ns = batch.sources().rows;
    for (const auto& [room, filler] : {std::pair{N, 0}, {N, 0}, {N, -1}, {R, 0}, {R, -1}})
      int_tables_.emplace_back(storage_, room, filler);
    segment_tables_.emplace_back(storage_, N, N, 1);
    segment_tables_.emplace_back(storage_, N, R, batch.step().history.longest);
    segment_tables_.emplace_back(storage_, A, N, options_.width);
    segment_tables_.emplace_back(storage_, A, Ns, batch.sources().longest);
    source_ids_ = storage_.ints(batch.sources().rows);
  }

  void read_sources(Dev& dev, const std::vector<Sentence>& sources, const SegmentTable& table) {
    std::vector<std::int32_t> ids;
    for (const Sentence& s : sources) ids.insert(ids.end(), s.begin(), s.end());
    write(dev, source_ids_, ids);
    const Segments<Dev> segments = segment_tables_[3].put(dev, table);
    dev.run_step(sizes(0, 0, segments, 0), [&] {
      TransformerCache<Dev> c;
      encode(dev, c, source_ids_, segments, p_, config_);
      remember_source(dev, memory_, c.memory(), p_.decoder);
    });
  }

  /// What the launches of encoding (0) and of a step of decoding (1) depend on; where the storage lies is part of it.
  StepSizes sizes(std::size_t kind, std::size_t N, const Segments<Dev>& sources, std::size_t longest) const {
    return {kind,
            N,
            sources.rows,
            sources.sentences(),
            sources.longest,
            longest,
            memory_.history.at(0).extent[0],
            storage_.allocations()};
  }

  DecodingStep<Dev> on_the_device(Dev& dev, const StepTable& t) const {
    return {int_tables_[0].put(dev, t.ids),         int_tables_[1].put(dev, t.position),
            int_tables_[2].put(dev, t.at),          int_tables_[3].put(dev, t.from),
            int_tables_[4].put(dev, t.to),          segment_tables_[0].put(dev, t.rows),
            segment_tables_[1].put(dev, t.history), segment_tables_[2].put(dev, t.beams),
            segment_tables_[3].put(dev, t.sources)};
  }

  TransformerParams<Dev> p_;
  ModelConfig config_;
  SearchOptions options_;
  Stack<Real, typename Dev::Space> storage_;
  DecoderMemory<Dev> memory_;
  Out<Dev, 2> logits_, scores_;                     // (N, Vocab), (N, candidates)
  OutInts<Dev, 2> ids_;                             // (N, candidates)
  OutInts<Dev, 1> source_ids_;                      // (Ns)
  std::vector<IntTable<Dev>> int_tables_;           // ids, position, at, from, to
  std::vector<SegmentsTable<Dev>> segment_tables_;  // rows, history, beams, sources
};

/// The n best translations of every sentence (ids with <eos>), in the order of the sentences, by all `workers`,
/// each with a device of its own. The answers do not depend on how many there are. Error for a sentence without a
/// token or with more than the model has positions for.
template <class Dev>
std::vector<NBest> translate_ids(Workers& workers, const TransformerParams<Dev>& params, const ModelConfig& config,
                                 const std::vector<Sentence>& sources, const SearchOptions& options) {
  options.check();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty() && sources[i].size() <= config.max_length) continue;
    fail("sentence " + std::to_string(i + 1) + " has " + std::to_string(sources[i].size()) +
         " tokens, <eos> counted; the model reads 1 to " + std::to_string(config.max_length));
  }
  const std::vector<std::vector<std::size_t>> batches = search_batches(sources, options);
  std::vector<NBest> results(sources.size());
  std::atomic<std::size_t> next{0};
  workers.each(std::min(workers.size(), batches.size()), [&](std::size_t) {
    Dev dev;
    Searcher<Dev> searcher(params, config, options);
    for (std::size_t b = next++; b < batches.size(); b = next++) {
      std::vector<Sentence> batch;
      for (const std::size_t i : batches[b]) batch.push_back(sources[i]);
      std::vector<NBest> found = searcher.search(dev, batch);
      for (std::size_t k = 0; k < batch.size(); ++k) results[batches[b][k]] = std::move(found[k]);
    }
  });
  return results;
}

}  // namespace gradus
