#pragma once
/// \file
/// Translates sentences of ids in batches: greedy and beam search that keeps what earlier words gave. The decisions
/// are in search_host.hpp and batch_search.hpp. Sizes: N open beams, K beams of a sentence, Ns source rows, R rows of the past.

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "09_transformer/output_top_k.hpp"
#include "11_translator/search/batch_search.hpp"
#include "11_translator/search/decoder_step.hpp"
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

/// Throws Error for a sentence that no search can take.
inline void check_sources(const std::vector<Sentence>& sources, const ModelConfig& config,
                          const SearchOptions& options) {
  options.check();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty() && sources[i].size() <= config.max_length) continue;
    fail("sentence " + std::to_string(i + 1) + " has " + std::to_string(sources[i].size()) +
         " tokens, <eos> counted; the model reads 1 to " + std::to_string(config.max_length));
  }
  check_end_marks(sources, options.decoding);
}

/// Translates batches with one model, several at the same time. It owns the memory that lasts longer than a step: places for
/// the largest batch. It only reads the model, so several searchers, each with its own device, may share one.
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

  /// The n best translations of each sentence (ids, <eos> at the end), searched as one batch. Error as for translate_ids.
  std::vector<NBest> search(Dev& dev, const std::vector<Sentence>& sources) {
    if (sources.empty()) return {};
    check_sources(sources, config_, options_);
    std::vector<std::vector<std::size_t>> all(1, std::vector<std::size_t>(sources.size()));
    std::iota(all[0].begin(), all[0].end(), std::size_t{0});
    BatchQueue queue(sources, all, alone());
    search(dev, queue, queue.places(1, options_, config_));
    return std::move(queue.results()[0]);
  }

  /// Searches the batches of the queue: it takes the next one whenever there is room. It runs whole steps of `dev`, which give
  /// back all tensors of its workspace.
  void search(Dev& dev, BatchQueue& queue, const BatchPlaces& places) {
    BatchSearch batches(places, options_, config_);
    reserve(dev, batches, places.room);
    std::vector<Real> values;
    std::vector<double> scores;
    std::vector<std::int32_t> ids;
    while (begin_batches(dev, batches, queue)) {
      if (options_.between_steps) options_.between_steps();
      const DecodingStep<Dev> step = on_the_device(dev, batches.step());
      const std::size_t N = step.ids.extent[0];
      const Out<Dev, 2> best = rows(scores_, 0, N);
      const OutInts<Dev, 2> words = rows(ids_, 0, N);
      dev.run_step(sizes(decoding, N, step.sources, step.past.longest), [&] {
        output_top_k(dev, best, words, decoder_step(dev, memory_, step, p_, config_), p_.output);
      });
      read(dev, values, In<Dev, 1>(as_vector(best)));
      read(dev, ids, Ints<Dev, 1>(as_vector(words)));
      scores.assign(values.begin(), values.end());
      for (BatchResults& ended : batches.extend(scores, ids, best.extent[1])) queue.keep(std::move(ended));
    }
  }

 private:
  /// A number for each searcher of the program, so that no searcher replays the recording of another.
  static std::size_t next_number() {
    static std::atomic<std::size_t> count{0};
    return ++count;
  }

  /// Three words of a row may be suppressed. So the best K + 3 of a row contain all its words that can be among the best
  /// K of all rows.
  std::size_t candidates() const { return std::min(config_.target_vocab, options_.beam_size + suppressed_words); }

  void reserve(Dev& dev, const BatchSearch& batches, const BatchRoom& room) {
    room_ = room;
    most_ = {batches.beams(), batches.sentences(), batches.source_rows(), batches.past_rows(), 0};
    const std::size_t D = config_.d_model, N = most_.beams;
    most_.copies = std::min(most_.past_rows, N * rows_of_past(config_.decoder_unit, room.longest_translation));
    storage_.settle();
    memory_ = {};
    for (std::size_t l = 0; l < config_.decoder_layers; ++l) {
      memory_.source.push_back(storage_.matrix(most_.source_rows, 2 * D));
      memory_.turned.push_back(room_for_turned(dev, storage_, most_.source_rows, D));
      memory_.past.push_back(storage_.matrix(most_.past_rows, width_of_past(config_.decoder_unit, D)));
    }
    scores_ = storage_.matrix(N, candidates());
    ids_ = as_matrix(storage_.ints(N * candidates()), N, candidates());
    // A step sends ids, position, at, rows and past for each beam, from and to for each copied row, beams and
    // sources for each sentence. A segment is two numbers. A new batch sends the ids and segments of its sources.
    tables_.reserve(
        storage_, std::max(7 * N + 2 * most_.copies + 4 * most_.sentences, room.source_rows + 2 * room.sentences));
  }

  /// Begins as many batches as have room. Returns whether any is open.
  bool begin_batches(Dev& dev, BatchSearch& batches, BatchQueue& queue) {
    while (const auto batch = batches.begin_next(queue)) read_sources(dev, batch->sources, batch->first);
    return batches.open();
  }

  /// Encodes the sources of a batch, whose rows begin with row `first`.
  void read_sources(Dev& dev, const std::vector<Sentence>& sources, std::size_t first) {
    std::vector<std::int32_t> ids, lengths;
    for (const Sentence& s : sources) {
      ids.insert(ids.end(), s.begin(), s.end());
      lengths.push_back(static_cast<std::int32_t>(s.size()));
    }
    const Ints<Dev, 1> source_ids = tables_.put(ids, room_.source_rows, 0);
    const Segments<Dev> segments =
        tables_.put(SegmentTable::packed(lengths), room_.sentences, room_.source_rows, room_.longest_source);
    tables_.send(dev);
    const DecoderMemory<Dev> own = source_rows(memory_, first, segments.rows);
    dev.run_step(sizes(encoding, first, segments, 0), [&] {
      remember_source(dev, own, encode_source(dev, source_ids, segments, p_, config_), p_.decoder);
      turn_sources(dev, own, segments);
    });
  }

  static constexpr std::size_t encoding = 0, decoding = 1;

  /// All values that the launches of a step depend on. The searcher's number stands for its weights, which never change; the
  /// number of allocations stands for the place of its storage. `rows` is the number of beams, or the first source row.
  StepSizes sizes(std::size_t kind, std::size_t rows, const Segments<Dev>& sources, std::size_t longest) const {
    return {number_,
            kind,
            rows,
            sources.rows,
            sources.sentences(),
            sources.longest,
            longest,
            memory_.past.at(0).extent[0],
            most_.beams,
            most_.source_rows,
            storage_.allocations()};
  }

  DecodingStep<Dev> on_the_device(Dev& dev, const StepTable& t) {
    const std::size_t N = most_.beams, R = most_.past_rows, B = most_.sentences;
    const DecodingStep<Dev> step{tables_.put(t.ids, N, 0),
                                 tables_.put(t.position, N, 0),
                                 tables_.put(t.at, N, -1),
                                 tables_.put(t.from, most_.copies, 0),
                                 tables_.put(t.to, most_.copies, -1),
                                 tables_.put(t.rows, N, N, 1),
                                 tables_.put(t.past, N, R, room_.longest_translation),
                                 tables_.put(t.beams, B, N, options_.beam_size),
                                 tables_.put(t.sources, B, most_.source_rows, room_.longest_source)};
    tables_.send(dev);
    return step;
  }

  /// Upper limits of all steps.
  struct Most {
    std::size_t beams = 0, sentences = 0, source_rows = 0, past_rows = 0, copies = 0;
  };

  std::size_t number_ = next_number();
  TransformerParams<Dev> p_;
  ModelConfig config_;
  SearchOptions options_;
  Workspace<Real, typename Dev::Space> storage_;
  DecoderMemory<Dev> memory_;
  Out<Dev, 2> scores_;   // (N, candidates)
  OutInts<Dev, 2> ids_;  // (N, candidates)
  BatchRoom room_;
  Most most_;
  StepTables<Dev> tables_;
};

/// The threads of `workers` that search: on a GPU one, because all devices there share its stream.
template <class Dev>
std::size_t search_threads(std::size_t workers) {
  return Dev::side_by_side ? workers : 1;
}

/// Searches the batches of this rank by all `workers`, each with its own device and with memory from `lent`. Returns one
/// result for each batch; those of other ranks' batches are empty. The weights of a model in training have no panels of the output
/// table, and do not change during this call: one worker makes the panels for all.
template <class Dev>
std::vector<std::vector<NBest>> search_some(Workers& workers, const TransformerParams<Dev>& params,
                                            const ModelConfig& config, const std::vector<Sentence>& sources,
                                            const std::vector<std::vector<std::size_t>>& batches,
                                            const SearchOptions& options, Ranks& ranks, LentWorkspaces<Dev>& lent) {
  BatchQueue queue(sources, batches, ranks);
  const std::size_t searchers = std::min(search_threads<Dev>(workers.size()), queue.size());
  const BatchPlaces places = queue.places(searchers, options, config);
  TransformerParams<Dev> frozen = params;
  Workspace<typename Dev::Real, typename Dev::Space> panels;
  std::once_flag has_panels;
  each_on<Dev>(workers, searchers, [&](std::size_t) {
    Dev dev;
    dev.use(params.int8);
    std::call_once(has_panels, [&] {
      if (!params.int8) keep_panels(dev, panels, frozen.output);
    });
    Searcher<Dev> searcher(frozen, config, options);
    lent.lend(dev, &searcher.storage(), [&] { searcher.search(dev, queue, places); });
  });
  return std::move(queue.results());
}

/// The n best translations of every sentence (ids with <eos>), in the order of the sentences. The ranks take turns with
/// the batches, so the results do not depend on their number, except for last bits if SearchOptions::parts is not 1; rank 0's number of workers decides how a few sentences are divided,
/// unless SearchOptions::full_batches is set. Error for a sentence without tokens or without <eos> at its end, or with more tokens than the model has positions. `lent` may
/// have the memory of earlier calls.
template <class Dev>
std::vector<NBest> translate_ids(Workers& workers, const TransformerParams<Dev>& params, const ModelConfig& config,
                                 const std::vector<Sentence>& sources, const SearchOptions& options,
                                 Ranks& ranks = alone(), LentWorkspaces<Dev>* lent = nullptr) {
  const std::size_t workers_of_first =
      std::stoul(broadcast(ranks, std::to_string(search_threads<Dev>(workers.size()))));
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
