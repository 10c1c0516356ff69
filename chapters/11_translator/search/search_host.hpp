#pragma once
/// \file
/// What the search decides: which beams go on, which are finished, when to stop, and in which rows of the cache all
/// that stands. Plain C++ on the host; the model is asked by search.hpp.

#include <cstdint>
#include <vector>

#include "09_transformer/greedy.hpp"

namespace gradus {

struct SearchOptions {
  DecodingOptions decoding;     ///< special words, longest translation
  std::size_t beam_size = 5;    ///< K, beams of a sentence; 1 is greedy search
  std::size_t n_best = 1;       ///< translations wanted of each sentence, at most `beam_size`
  double length_penalty = 1.0;  ///< alpha of `length_norm`; 0 ranks by the sum of log probabilities alone
  std::size_t batch_sentences = 48;
  std::size_t batch_tokens = 2048;  ///< at most so many source tokens in a batch, unless one sentence has more

  /// Throws UsageError, one line that says what to change.
  void check() const;
};

/// ((5 + length) / 6)^alpha (Wu et al. 2016, eq. 14; Vaswani et al. 2017 take alpha = 0.6): a sum of log
/// probabilities falls with every word, so dividing by this keeps long translations in the race. <eos> counts as a
/// word. (eq:11.3)
double length_norm(std::size_t length, double alpha);

struct Translation {
  Sentence words;                 ///< without <bos> and <eos>
  std::vector<double> log_probs;  ///< of each word and, if it ended by itself, of <eos>
  double log_prob = 0;            ///< their sum, from left to right
  double score = 0;               ///< log_prob / length_norm: what translations are ranked by
  bool ended = false;             ///< false: it was cut at the longest length

  /// The mean over its tokens, <eos> counted: unlike the sum it can be compared between sentences.
  double token_log_prob() const { return log_prob / static_cast<double>(log_probs.size()); }
};
using NBest = std::vector<Translation>;  ///< best first

struct Beam {
  Sentence words;
  std::vector<double> log_probs;
  double log_prob = 0;
  std::size_t parent = 0;  ///< which of the beams before the last step it goes on from
};

/// Beam search for one sentence. At each step every open beam is followed by every word, and of all these the K
/// best go on; one that says <eos> leaves with its score, which nothing changes any more, and keeps its place among
/// the K (Sutskever et al. 2014, section 3.2). So K = 1 is greedy search.
class SentenceSearch {
 public:
  SentenceSearch(const SearchOptions& options, std::size_t longest);

  /// The beams that go on, best first; none when the search is over.
  const std::vector<Beam>& open() const { return open_; }

  /// One step: row b of `scores` and `ids`, (open beams, candidates), holds the likeliest words after beam b and
  /// their log probabilities, beam_size + 2 of them or the whole vocabulary. Error if a log probability is not a
  /// number.
  void extend(const double* scores, const std::int32_t* ids, std::size_t candidates);

  /// The best n_best translations found.
  NBest result() const;

 private:
  void finish(const Beam& beam, bool ended);
  bool settled() const;

  SearchOptions options_;
  std::size_t longest_;
  std::vector<Beam> open_;
  NBest finished_;  // best first; of equals the one that finished first
};

/// One step of a batch, as lists in host memory; cached_decoder.hpp says what each is for.
struct StepTable {
  std::vector<std::int32_t> ids, position, at, from, to;
  SegmentTable rows, history, beams, sources;
};

/// The searches of a batch, and the cache rows of their beams: each beam has a slot of as many rows as its sentence
/// may have words. The first child of a beam inherits its slot as it is; further ones get a copy in a slot whose
/// beam has no children. So only beams that branch are copied, and no row is both read and written.
class BatchSearch {
 public:
  BatchSearch(const std::vector<Sentence>& sources, const SearchOptions& options, const ModelConfig& config);

  std::size_t beams() const { return beams_; }            ///< most rows of a step
  std::size_t cache_rows() const { return cache_rows_; }  ///< R
  const SegmentTable& sources() const { return sources_; }

  bool open() const { return !table_.ids.empty(); }
  const std::vector<Beam>& open(std::size_t sentence) const { return states_[sentence].search.open(); }
  const StepTable& step() const { return table_; }  ///< what to compute next

  /// The answer to it, (rows of the step, candidates) each.
  void extend(const std::vector<double>& scores, const std::vector<std::int32_t>& ids, std::size_t candidates);

  std::vector<NBest> results() const;

 private:
  struct State {
    SentenceSearch search;
    std::size_t first_row, capacity;  // of the cache: K slots of `capacity` rows each
    std::vector<std::size_t> slots;   // of the open beams
  };
  void assign_slots(State& state);
  void make_table();

  std::int32_t bos_;
  std::size_t beam_size_;
  std::size_t beams_ = 0, cache_rows_ = 0, longest_ = 0;
  SegmentTable sources_;
  std::vector<State> states_;
  StepTable table_;
};

/// Which sentences are translated together: sorted by length, longest first, since a batch takes as many steps as
/// its longest translation.
std::vector<std::vector<std::size_t>> search_batches(const std::vector<Sentence>& sources,
                                                     const SearchOptions& options);

}  // namespace gradus
