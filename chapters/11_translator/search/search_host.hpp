#pragma once
/// \file
/// The decisions of the search: which beams of a sentence continue, which are finished, when to stop. Plain C++ on the host;
/// search.hpp runs the model.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "09_transformer/greedy.hpp"
#include "11_translator/search/search_choices.hpp"

namespace gradus {

struct Beam;

struct SearchOptions : SearchChoices {
  DecodingOptions decoding;  ///< special words, longest translation
  /// What each word costs that the translation has already, in nats, unless the source has a word twice itself.
  double repetition_penalty = 0;
  /// Whether a word may not follow itself directly, under the same condition. Empty: each may.
  std::function<bool(std::int32_t id)> stands_once = {};
  /// What each word costs by which the translation is longer than the source, in nats. Both are counted with their end mark.
  double excess_penalty = 0;
  std::size_t batch_sentences = 48;  ///< most sentences that a searcher translates at the same time
  std::size_t batch_tokens = 2048;   ///< most source tokens of them, unless one sentence has more
  /// How many full batches are open at the same time: each has `batch_sentences` / `parts` sentences at most. With 1, a batch begins
  /// when the one before has ended. With more, the batches that share a step depend on the number of ranks and, on a processor,
  /// on the speed of the threads, and so may last bits.
  std::size_t parts = 1;
  /// The text of a translation, if texts are searched for. Then no translation has an empty text, unless there is no other, and the n
  /// best have different ones: several sequences of subwords can be the same text.
  std::function<std::string(const Sentence& words)> text = {};
  /// Whether a text is as little wanted as an empty one, unless the source has a word twice itself. Empty: no other text is.
  std::function<bool(const std::string& text)> is_unwanted = {};
  /// Sees each beam that a step of a sentence keeps, the best first; one that ends has one log probability more than words. A search of
  /// several sentences calls it from several threads.
  std::function<void(const Beam& beam)> watch = {};

  std::size_t used_parts() const { return full_batches ? 1 : std::max<std::size_t>(1, parts); }
  std::size_t part_sentences() const { return std::max<std::size_t>(1, batch_sentences / used_parts()); }
  std::size_t part_tokens() const { return std::max<std::size_t>(1, batch_tokens / used_parts()); }
  /// Batches that a searcher has room for. With several parts they are half as many again, because a batch keeps its place until its
  /// last sentence ends. Each open batch has an open sentence, so there are never more than sentences.
  std::size_t places() const { return std::min(used_parts() + used_parts() / 2, batch_sentences); }

  /// Throws UsageError, one line that says what to change.
  void check() const;
};

/// ((5 + length) / 6)^alpha (Wu et al. 2016, eq. 14; Vaswani et al. 2017 take alpha = 0.6). A sum of log
/// probabilities falls with every word; division by this norm makes translations of different lengths comparable.
/// <eos> counts as a word. (eq:11.1)
double length_norm(std::size_t length, double alpha);

struct Translation {
  Sentence words;                 ///< without <bos> and <eos>
  std::vector<double> log_probs;  ///< of each word and, if `ended`, of <eos>
  double log_prob = 0;            ///< their sum, from left to right
  double score = 0;               ///< (log_prob - penalty) / length_norm, which ranks translations
  bool ended = false;             ///< false: it was cut at the longest length

  /// The mean over its tokens, <eos> included. Unlike the sum, it can be compared between sentences.
  double token_log_prob() const { return log_prob / static_cast<double>(log_probs.size()); }
};
using NBest = std::vector<Translation>;  ///< best first; cut ones behind those that ended, whatever their scores

struct Beam {
  Sentence words;
  std::vector<double> log_probs;
  double log_prob = 0;
  double penalty = 0;      ///< of repeated words and of excess length; beams are ranked by log_prob - penalty
  std::size_t parent = 0;  ///< index of the beam before the last step that it continues
};

/// Beam search for one sentence. Each step extends every open beam by every word and keeps the K best. A beam that
/// ends with <eos> is finished: its score is final, and it still counts as one of the K (Sutskever et al. 2014,
/// section 3.2). So K = 1 is greedy search.
class SentenceSearch {
 public:
  /// `source` has the ids of the sentence; `longest` is the largest number of words.
  SentenceSearch(const SearchOptions& options, std::size_t longest, const Sentence& source = {});

  /// The beams that continue, best first; none when the search is over.
  const std::vector<Beam>& open() const { return open_; }

  /// One step. Row b of `scores` and `ids`, (open beams, candidates), holds the log probabilities and ids of the
  /// most probable words after beam b: beam_size + suppressed_words, or the whole vocabulary. Error for a log probability
  /// that is NaN.
  void extend(const double* scores, const std::int32_t* ids, std::size_t candidates);

  /// The best n_best translations found.
  NBest result() const;

 private:
  struct Finished {
    Translation translation;
    std::string text;  // empty without SearchOptions::text
  };
  struct Candidate;
  std::vector<Candidate> allowed(const double* scores, const std::int32_t* ids, std::size_t candidates) const;
  bool finish(const Beam& beam, bool ended);
  bool settled() const;

  SearchOptions options_;
  std::size_t longest_;
  std::size_t source_length_;
  bool may_repeat_;  // the source repeats a word
  std::vector<Beam> open_;
  std::vector<Finished> finished_;       // in the order of NBest; equal scores in the order of finishing
  std::optional<Translation> unwanted_;  // the best one whose text is empty or unwanted
};

}  // namespace gradus
