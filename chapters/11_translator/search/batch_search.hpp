#pragma once
/// \file
/// The searches of several batches at the same time: the rows of each step, and the rows of their pasts.

#include <cstdint>
#include <optional>
#include <vector>

#include "11_translator/search/batches.hpp"
#include "gradus/tensor/segments.hpp"

namespace gradus {

/// One step of all open batches, as lists in host memory; BasicDecodingStep describes them.
struct StepTable {
  std::vector<std::int32_t> ids, position, at, from, to;
  SegmentTable rows, past, beams, sources;
};

/// The searches of the open batches, and the rows of what their beams keep. Each batch has a place, with rows for its sources and
/// for the words of its beams. Another batch begins in a free place when enough sentences have ended, so most steps have many rows.
///
/// Each beam has a span, with rows_of_past: one for each word that the translation may have, or one for the state. The first
/// child of a beam keeps its span; other children get a span whose beam has no children. Rows of words are copied there, so only
/// beams that branch are copied, and no row is both read and written. A state is read from the span of the parent.
class BatchSearch {
 public:
  BatchSearch(const BatchPlaces& places, const SearchOptions& options, const ModelConfig& config);

  std::size_t beams() const { return options_.beam_size * sentences(); }      ///< largest number of rows of a step
  std::size_t sentences() const;                                              ///< largest number of open ones
  std::size_t past_rows() const { return places_.size() * room_.past_rows; }  ///< R
  std::size_t source_rows() const { return places_.size() * room_.source_rows; }  ///< Ns

  /// Begins to search the next batch of the queue if there is room for it. It must fit in a place, else Error. Its source rows
  /// follow each other from `first`.
  struct Begun {
    std::vector<Sentence> sources;
    std::size_t first;
  };
  std::optional<Begun> begin_next(BatchQueue& queue);

  bool open() const;
  StepTable step() const;                ///< the step to compute next
  std::vector<Beam> open_beams() const;  ///< the beams of its rows, in this order

  /// The results of that step: `scores` and `ids`, (rows of the step, candidates). Returns the batches that end with it; their
  /// places are free again.
  std::vector<BatchResults> extend(const std::vector<double>& scores, const std::vector<std::int32_t>& ids,
                                   std::size_t candidates);

 private:
  bool has_room() const;
  std::size_t begin(const SearchBatch& batch);

  struct State {
    SentenceSearch search;
    std::size_t first_source, tokens;  // its source rows
    std::size_t first_row, capacity;   // of the past: K spans of `capacity` rows each
    std::vector<std::size_t> spans;    // of the open beams
    std::vector<std::size_t> parents;  // the spans of the beams that they continue
  };
  struct Place {
    std::size_t number = 0;     // of its batch
    std::vector<State> states;  // none: the place is free
  };
  void assign_spans(State& state);
  void append_rows(StepTable& table, const State& state) const;
  void append_past(StepTable& table, const State& state, std::size_t beam) const;

  BatchRoom room_;
  SearchOptions options_;
  ModelConfig config_;
  std::vector<Place> places_;
  std::size_t last_tokens_ = 0;          // of the batch that began last
  std::vector<std::int32_t> from_, to_;  // copies of rows of the past before the next step
};

}  // namespace gradus
