#pragma once
/// \file
/// Translates sentences of ids in batches: greedy and beam search with a cache of keys and values. The decisions
/// are in search_host.hpp. Sizes: N open beams, K beams of a sentence, Ns source rows, R cache rows.

#include <algorithm>
#include <atomic>
#include <mutex>

#include "09_transformer/output_top_k.hpp"
#include "11_translator/search/cached_decoder.hpp"
#include "11_translator/search/search_host.hpp"
#include "11_translator/search/shared_results.hpp"
#include "11_translator/search/source_encoder.hpp"
#include "gradus/memory/lent_workspaces.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

/// The tables of a step, or of the sources, one after the other. One copy sends all of them to the device, because
/// the device waits for each copy.
template <class Dev>
class StepTables {
 public:
  void reserve(Workspace<typename Dev::Real, typename Dev::Space>& memory, std::size_t capacity) {
    memory_ = memory.ints(capacity);
  }

  /// Adds a table of at most `most` entries. It has as many as the device computes; unused ones hold `filler`.
  Ints<Dev, 1> put(const std::vector<std::int32_t>& values, std::size_t most, std::int32_t filler) {
    const std::size_t first = host_.size();
    host_.insert(host_.end(), values.begin(), values.end());
    host_.resize(first + Dev::capacity(values.size(), most), filler);
    return slice(memory_, first, host_.size() - first);
  }
  /// The same for segments; unused ones are empty.
  Segments<Dev> put(const SegmentTable& t, std::size_t most, std::size_t most_rows, std::size_t longest) {
    const Ints<Dev, 1> begin = put(t.begin, most, 0), length = put(t.length, most, 0);
    return {begin, length, Dev::capacity(t.rows, most_rows), Dev::capacity(t.longest, longest)};
  }

  void send(Dev& dev) {
    require(host_.size() <= memory_.extent[0], "the tables of a step are larger than their room");
    write(dev, slice(memory_, 0, host_.size()), host_);
    host_.clear();
  }

 private:
  OutInts<Dev, 1> memory_;
  std::vector<std::int32_t> host_;
};

/// Translates batches with one model. It owns the memory that lasts longer than a step, allocated by the capacity
/// of a batch. It only reads the model, so several searchers, each with its own device, may share one.
template <class Dev>
class Searcher {
 public:
  using Real = typename Dev::Real;

  Searcher(const TransformerParams<Dev>& params, const ModelConfig& config, const SearchOptions& options)
      : p_(params), config_(config.without_dropout()), options_(options) {
    options.check();
  }

  /// The memory that lasts longer than a step. It may be exchanged between searches.
  Workspace<Real, typename Dev::Space>& storage() { return storage_; }

  /// The n best translations of each sentence (ids, <eos> at the end). It runs whole steps of `dev`, which
  /// give back all tensors of its workspace.
  std::vector<NBest> search(Dev& dev, const std::vector<Sentence>& sources) {
    BatchSearch batch(sources, options_, config_);
    if (sources.empty()) return {};
    reserve(dev, batch);
    read_sources(dev, sources, batch.sources());
    std::vector<Real> values;
    std::vector<double> scores;
    std::vector<std::int32_t> ids;
    while (batch.open()) {
      const DecodingStep<Dev> step = on_the_device(dev, batch.step());
      const std::size_t N = step.ids.extent[0];
      const Out<Dev, 2> best = rows(scores_, 0, N);
      const OutInts<Dev, 2> words = rows(ids_, 0, N);
      dev.run_step(sizes(1, N, step.sources, step.history.longest), [&] {
        output_top_k(dev, best, words, cached_decoder_forward(dev, memory_, step, p_, config_), p_.output);
      });
      read(dev, values, In<Dev, 1>(as_vector(best)));
      read(dev, ids, Ints<Dev, 1>(as_vector(words)));
      scores.assign(values.begin(), values.end());
      batch.extend(scores, ids, best.extent[1]);
    }
    return batch.results();
  }

 private:
  /// A number for each searcher of the program, so that no searcher replays the recording of another.
  static std::size_t next_number() {
    static std::atomic<std::size_t> count{0};
    return ++count;
  }

  /// Two words of a row are suppressed. So the best K + 2 of a row contain all its words that can be among the best
  /// K of all rows.
  std::size_t candidates() const { return std::min(config_.target_vocab, options_.beam_size + 2); }

  void reserve(Dev& dev, const BatchSearch& batch) {
    capacity_ = {batch.beams(), batch.cache_rows(), batch.step().history.longest, batch.sources()};
    const std::size_t D = config_.d_model, N = capacity_.beams;
    storage_.settle();
    memory_ = {};
    for (std::size_t l = 0; l < config_.decoder_layers; ++l) {
      memory_.source.push_back(storage_.matrix(capacity_.sources.rows, 2 * D));
      memory_.turned.push_back(room_for_turned(dev, storage_, capacity_.sources.rows, D));
      memory_.history.push_back(storage_.matrix(capacity_.cache_rows, 2 * D));
    }
    scores_ = storage_.matrix(N, candidates());
    ids_ = as_matrix(storage_.ints(N * candidates()), N, candidates());
    // A step sends ids, position, at, rows and history for each beam, from and to for each cache row, beams and
    // sources for each sentence. A segment is two numbers. The first transfer is the sources: ids and segments.
    const std::size_t B = capacity_.sources.begin.size(), Ns = capacity_.sources.rows, R = capacity_.cache_rows;
    tables_.reserve(storage_, std::max(7 * N + 2 * R + 4 * B, Ns + 2 * B));
  }

  void read_sources(Dev& dev, const std::vector<Sentence>& sources, const SegmentTable& table) {
    std::vector<std::int32_t> ids;
    for (const Sentence& s : sources) ids.insert(ids.end(), s.begin(), s.end());
    const Ints<Dev, 1> source_ids = tables_.put(ids, capacity_.sources.rows, 0);
    const Segments<Dev> segments = put_sources(table);
    tables_.send(dev);
    dev.run_step(sizes(0, 0, segments, 0), [&] {
      remember_source(dev, memory_, encode_source(dev, source_ids, segments, p_, config_), p_.decoder);
      turn_sources(dev, memory_, segments);
    });
  }

  /// All values that the launches of encoding (0) and of a decoding step (1) depend on. The searcher's number
  /// stands for its weights, which never change; the number of allocations stands for the place of its storage.
  StepSizes sizes(std::size_t kind, std::size_t N, const Segments<Dev>& sources, std::size_t longest) const {
    return {number_,
            kind,
            N,
            sources.rows,
            sources.sentences(),
            sources.longest,
            longest,
            memory_.history.at(0).extent[0],
            storage_.allocations()};
  }

  Segments<Dev> put_sources(const SegmentTable& t) {
    return tables_.put(t, capacity_.sources.begin.size(), capacity_.sources.rows, capacity_.sources.longest);
  }

  DecodingStep<Dev> on_the_device(Dev& dev, const StepTable& t) {
    const std::size_t N = capacity_.beams, R = capacity_.cache_rows;
    const DecodingStep<Dev> step{tables_.put(t.ids, N, 0),
                                 tables_.put(t.position, N, 0),
                                 tables_.put(t.at, N, -1),
                                 tables_.put(t.from, R, 0),
                                 tables_.put(t.to, R, -1),
                                 tables_.put(t.rows, N, N, 1),
                                 tables_.put(t.history, N, R, capacity_.longest_history),
                                 tables_.put(t.beams, capacity_.sources.begin.size(), N, options_.beam_size),
                                 put_sources(t.sources)};
    tables_.send(dev);
    return step;
  }

  /// Upper limits of all steps of a batch.
  struct Capacity {
    std::size_t beams = 0, cache_rows = 0, longest_history = 0;
    SegmentTable sources;
  };

  std::size_t number_ = next_number();
  TransformerParams<Dev> p_;
  ModelConfig config_;
  SearchOptions options_;
  Workspace<Real, typename Dev::Space> storage_;
  DecoderMemory<Dev> memory_;
  Out<Dev, 2> scores_;   // (N, candidates)
  OutInts<Dev, 2> ids_;  // (N, candidates)
  Capacity capacity_;
  StepTables<Dev> tables_;
};

/// Searches the batches of this rank by all `workers`, each with its own device and with memory from `lent`. Returns one
/// result for each batch; those of other ranks' batches are empty. The weights of a model in training have no panels of the output
/// table, and do not change during this call: one worker makes the panels for all.
template <class Dev>
std::vector<std::vector<NBest>> search_some(Workers& workers, const TransformerParams<Dev>& params,
                                            const ModelConfig& config, const std::vector<Sentence>& sources,
                                            const std::vector<std::vector<std::size_t>>& batches,
                                            const SearchOptions& options, Ranks& ranks, LentWorkspaces<Dev>& lent) {
  std::vector<std::vector<NBest>> results(batches.size());
  std::atomic<std::size_t> next{ranks.rank()};
  TransformerParams<Dev> frozen = params;
  Workspace<typename Dev::Real, typename Dev::Space> panels;
  std::once_flag has_panels;
  each_on<Dev>(workers, Dev::side_by_side ? std::min(workers.size(), batches.size()) : 1, [&](std::size_t) {
    Dev dev;
    dev.use(params.int8);
    std::call_once(has_panels, [&] {
      if (!params.int8) keep_panels(dev, panels, frozen.output);
    });
    Searcher<Dev> searcher(frozen, config, options);
    lent.lend(dev, &searcher.storage(), [&] {
      for (std::size_t b = next.fetch_add(ranks.size()); b < batches.size(); b = next.fetch_add(ranks.size())) {
        std::vector<Sentence> batch;
        for (const std::size_t i : batches[b]) batch.push_back(sources[i]);
        results[b] = searcher.search(dev, batch);
      }
    });
  });
  return results;
}

inline void check_sources(const std::vector<Sentence>& sources, const ModelConfig& config,
                          const SearchOptions& options) {
  options.check();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty() && sources[i].size() <= config.max_length) continue;
    fail("sentence " + std::to_string(i + 1) + " has " + std::to_string(sources[i].size()) +
         " tokens, <eos> counted; the model reads 1 to " + std::to_string(config.max_length));
  }
}

/// The n best translations of every sentence (ids with <eos>), in the order of the sentences. The ranks take turns with
/// the batches, so the results do not depend on their number; rank 0's number of workers decides how a few sentences are divided,
/// unless SearchOptions::full_batches is set. Error for a sentence without tokens, or with more tokens than the model has positions. `lent` may
/// have the memory of earlier calls.
template <class Dev>
std::vector<NBest> translate_ids(Workers& workers, const TransformerParams<Dev>& params, const ModelConfig& config,
                                 const std::vector<Sentence>& sources, const SearchOptions& options,
                                 Ranks& ranks = alone(), LentWorkspaces<Dev>* lent = nullptr) {
  const std::size_t workers_of_first = std::stoul(broadcast(ranks, std::to_string(workers.size())));
  const std::vector<std::vector<std::size_t>> batches = search_batches(sources, options, workers_of_first);
  std::vector<std::vector<NBest>> found;
  together(ranks, [&] {
    check_sources(sources, config, options);
    LentWorkspaces<Dev> own;
    found = search_some<Dev>(workers, params, config, sources, batches, options, ranks, lent ? *lent : own);
  });
  exchange_results(ranks, found);
  std::vector<NBest> results(sources.size());
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (std::size_t k = 0; k < batches[b].size(); ++k) results[batches[b][k]] = std::move(found[b][k]);
  }
  return results;
}

}  // namespace gradus
