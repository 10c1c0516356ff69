#pragma once
/// \file
/// Greedy decoding: at each step the most probable next word. It keeps nothing: every step runs the decoder over all
/// words so far. Chapter 11 is faster and has a wider search; its greedy results must be the same.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "01_embedding/vocabulary.hpp"
#include "09_transformer/batch.hpp"
#include "09_transformer/log_probs_top_k.hpp"
#include "09_transformer/transformer.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

using Sentence = std::vector<std::int32_t>;  ///< ids

struct DecodingOptions {
  Specials specials;           ///< of the target language
  double length_factor = 1.5;  ///< a translation has at most factor x source tokens + extra words,
  std::size_t length_extra = 10;
  std::size_t max_length = 200;              ///< and never more than this, <eos> included
  std::int32_t source_eos = Specials{}.eos;  ///< the end mark of the sources
};

/// Throws Error if a source does not end with its end mark: a model was trained with it, and translates worse without it.
inline void check_end_marks(const std::vector<Sentence>& sources, const DecodingOptions& options) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty() && sources[i].back() == options.source_eos) continue;
    fail("sentence " + std::to_string(i + 1) + " does not end with the end mark <eos>, id " +
         std::to_string(options.source_eos) + "; append it to its ids");
  }
}

/// The largest number of words, <eos> included, of a translation. The decoder reads as many tokens (<bos> instead
/// of <eos>), so each has a position.
inline std::size_t longest_translation(std::size_t source_tokens, const DecodingOptions& options,
                                       const ModelConfig& config) {
  const double allowed = options.length_factor * static_cast<double>(source_tokens);
  const std::size_t by_source = static_cast<std::size_t>(allowed) + options.length_extra;
  return std::max<std::size_t>(1, std::min({by_source, options.max_length, config.max_length}));
}

/// Words that no translation has behind `words` words: <pad>, and <bos>, which only begins a sentence, so that no model was trained
/// to output it; and <eos> as the first word, because a translation of a sentence is not empty. Every search skips them.
inline bool is_suppressed(std::int32_t id, const Specials& specials, std::size_t words) {
  return id == specials.pad || id == specials.bos || (id == specials.eos && words == 0);
}

/// How many words is_suppressed() can skip at one place.
constexpr std::size_t suppressed_words = 3;

/// The most probable next word after each of the `prefixes` (which begin with <bos>); an empty prefix is a finished
/// sentence and gets -1. `c` holds the memory of `sources`.
template <class Dev>
Sentence next_words(Dev& dev, TransformerCache<Dev>& c, const Segments<Dev>& sources,
                    const std::vector<Sentence>& prefixes, const TransformerParams<Dev>& p,
                    const ModelConfig& config, const Specials& specials) {
  Sentence rows, lengths, last;
  for (const Sentence& prefix : prefixes) {
    rows.insert(rows.end(), prefix.begin(), prefix.end());
    lengths.push_back(static_cast<std::int32_t>(prefix.size()));
    if (!prefix.empty()) last.push_back(static_cast<std::int32_t>(rows.size()) - 1);
  }
  const Ints<Dev, 1> input = on_device(dev, rows);
  decode(dev, c, {c.memory(), sources}, input, on_device(dev, SegmentTable::packed(lengths)), p, config);

  const std::size_t N = last.size(), K = suppressed_words + 1;  // so one of the best K is the answer
  const Out<Dev, 2> x = dev.kept.matrix(N, config.d_model), logits = dev.kept.matrix(N, config.target_vocab),
                    scores = dev.kept.matrix(N, K);
  const OutInts<Dev, 2> ids = as_matrix(dev.kept.ints(N * K), N, K);
  lookup_forward(dev, x, on_device(dev, last), c.output(), {1, -1});  // gathers the last row of each sentence
  output_forward(dev, logits, x, p.output);
  log_probs_top_k(dev, scores, ids, logits);

  Sentence best, next;
  read(dev, best, as_vector(ids));
  auto candidate = best.begin();
  for (const Sentence& prefix : prefixes) {
    if (prefix.empty()) {
      next.push_back(-1);
      continue;
    }
    const std::size_t words = prefix.size() - 1;  // behind <bos>
    next.push_back(
        *std::find_if_not(candidate, candidate + K, [&](auto id) { return is_suppressed(id, specials, words); }));
    candidate += K;
  }
  return next;
}

/// Translates sentences (ids with <eos>) in one batch: encodes once, then adds the most probable word to each until
/// it outputs <eos> or has as many words as longest_translation allows. The results contain no <bos> and no <eos>.
/// Of equally probable words the smaller id wins. Error for a sentence without <eos>. It gives back all that it takes of dev.kept. There is no dropout,
/// whatever the rates of `config`.
template <class Dev>
std::vector<Sentence> greedy_decode(Dev& dev, const std::vector<Sentence>& sentences,
                                    const TransformerParams<Dev>& p, const ModelConfig& config,
                                    const DecodingOptions& options = {}) {
  check_end_marks(sentences, options);
  const ModelConfig inference = config.without_dropout();
  const auto mark = dev.kept.mark();
  Sentence rows, lengths;
  for (const Sentence& s : sentences) {
    rows.insert(rows.end(), s.begin(), s.end());
    lengths.push_back(static_cast<std::int32_t>(s.size()));
  }
  const Segments<Dev> sources = on_device(dev, SegmentTable::packed(lengths));
  TransformerCache<Dev> c;
  encode(dev, c, on_device(dev, rows), sources, p, inference);

  std::vector<Sentence> output(sentences.size()), prefixes(sentences.size(), Sentence{options.specials.bos});
  for (std::size_t open = sentences.size(); open > 0;) {
    const auto step = dev.kept.mark();
    const Sentence next = next_words(dev, c, sources, prefixes, p, inference, options.specials);
    dev.kept.release(step);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (prefixes[i].empty()) continue;
      const bool ends = next[i] == options.specials.eos;
      if (!ends) output[i].push_back(next[i]), prefixes[i].push_back(next[i]);
      if (ends || output[i].size() >= longest_translation(sentences[i].size(), options, inference)) {
        prefixes[i].clear();
        --open;
      }
    }
  }
  dev.kept.release(mark);
  return output;
}

}  // namespace gradus
