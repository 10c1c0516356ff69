#pragma once
/// \file
/// Beam search in its simplest form, without any optimisation, and common mistakes in it. The model runs over the
/// whole prefix for every word, nothing is kept, no sentence shares a batch with another, and no search stops
/// early.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "chapters/11_translator/tiny_models.hpp"

namespace gradus::test {

/// The model's scores of the next word, by chapter 09's forward pass without a past.
class Oracle {
 public:
  Oracle(const Model<Cpu<double>>& model, const Sentence& source)
      : model_(model), config_(model.config.without_dropout()), source_(source) {}

  /// log p of every word after `words`; or the logits unchanged.
  const std::vector<double>& next(const Sentence& words, bool raw_logits = false) {
    std::vector<double>& known = (raw_logits ? logits_ : log_probs_)[words];
    if (known.empty()) known = compute(words, raw_logits);
    return known;
  }

 private:
  std::vector<double> compute(const Sentence& words, bool raw_logits) {
    Sentence input{2};
    input.insert(input.end(), words.begin(), words.end());
    dev_.reset();
    TransformerCache<Cpu<double>> c;
    const auto length = [](const Sentence& s) {
      return SegmentTable::packed({static_cast<std::int32_t>(s.size())});
    };
    const auto sources = on_device(dev_, length(source_)), targets = on_device(dev_, length(input));
    encode(dev_, c, on_device(dev_, source_), sources, model_.params, config_);
    decode(dev_, c, {c.memory(), sources}, on_device(dev_, input), targets, model_.params, config_);
    const double* const x = c.output().row(input.size() - 1);
    std::vector<double> z(config_.target_vocab);
    const OutputParams<Cpu<double>>& output = model_.params.output;
    for (std::size_t v = 0; v < z.size(); ++v) {
      z[v] = output.bias ? output.bias[v] : 0.0;
      for (std::size_t d = 0; d < config_.d_model; ++d) z[v] += x[d] * output.table.row(v)[d];
    }
    if (raw_logits) return z;
    const double largest = *std::max_element(z.begin(), z.end());
    double sum = 0;
    for (const double value : z) sum += std::exp(value - largest);
    for (double& value : z) value -= largest + std::log(sum);
    return z;
  }

  const Model<Cpu<double>>& model_;
  ModelConfig config_;
  Sentence source_;
  Cpu<double> dev_;
  std::map<Sentence, std::vector<double>> log_probs_, logits_;
};

enum class Mistake {
  none,
  finished_lost,      ///< sentences that end with <eos> are discarded; only those still open at the end count
  finished_extended,  ///< after <eos> the sentence continues, and every further word lowers its score
  finished_rescored,  ///< a finished sentence is scored again at each step, with another <eos>
  raw_logits,         ///< scores are sums of logits instead of log probabilities
  copies_at_first,    ///< the search starts from K copies of <bos>, which stay copies of each other
  first_finished,     ///< the search ends with the first sentence that reaches <eos>
  penalty_forgotten,  ///< ranks by the sum, which favours the shortest
  marks_said,         ///< <pad> and <bos> may be output
  nothing_said,       ///< <eos> may be the first word
};

/// The better one first; all that ended come before all that were cut.
inline bool score_order(const Translation& a, const Translation& b) {
  return a.ended != b.ended ? a.ended : a.score > b.score;
}

struct NaiveResult {
  NBest best;
  double gap = std::numeric_limits<double>::infinity();  ///< smallest difference between two scores in any decision

  /// Keeps the n best of all, which are in order.
  void take(const NBest& all, std::size_t n) {
    for (std::size_t i = 0; i + 1 < all.size() && i < n; ++i) {
      if (all[i].ended == all[i + 1].ended) gap = std::min(gap, all[i].score - all[i + 1].score);
    }
    best.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(n, all.size())));
  }
};

inline NaiveResult naive_search(Oracle& oracle, const SearchOptions& o, std::size_t longest,
                                Mistake mistake = Mistake::none) {
  constexpr std::int32_t pad = 0, bos = 2, eos = 3;
  const auto norm = [&](const Translation& t) {
    return mistake == Mistake::penalty_forgotten
               ? 1
               : std::pow((5.0 + double(t.log_probs.size())) / 6, o.length_penalty);
  };
  const auto sum_order = [](const Translation& a, const Translation& b) { return a.log_prob > b.log_prob; };
  NaiveResult result;
  NBest open(mistake == Mistake::copies_at_first ? o.beam_size : 1), finished;
  while (!open.empty() && finished.size() < o.beam_size) {
    if (mistake == Mistake::first_finished && !finished.empty()) break;
    NBest candidates;
    for (const Translation& t : open) {
      const std::vector<double>& p = oracle.next(t.words, mistake == Mistake::raw_logits);
      for (std::size_t id = 0; id < p.size(); ++id) {
        const auto word = static_cast<std::int32_t>(id);
        if ((word == pad || word == bos) && mistake != Mistake::marks_said) continue;
        if (word == eos && t.words.empty() && mistake != Mistake::nothing_said) continue;
        Translation longer = t;
        longer.words.push_back(word);
        longer.log_probs.push_back(p[id]);
        longer.log_prob += p[id];
        candidates.push_back(longer);
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(), sum_order);
    const std::size_t best = std::min(candidates.size(), o.beam_size - finished.size());
    if (best < candidates.size()) {
      result.gap = std::min(result.gap, candidates[best - 1].log_prob - candidates[best].log_prob);
    }
    if (mistake == Mistake::finished_rescored) {
      for (Translation& t : finished) t.log_prob += oracle.next(t.words)[eos];
    }
    open.clear();
    for (std::size_t i = 0; i < best; ++i) {
      Translation t = candidates[i];
      if (t.words.back() == eos && mistake != Mistake::finished_extended) {
        t.words.pop_back();
        t.ended = true;
        if (mistake != Mistake::finished_lost) finished.push_back(t);
      } else if (t.words.size() == longest) {
        finished.push_back(t);
      } else {
        open.push_back(t);
      }
    }
  }
  for (Translation& t : finished) {
    t.score = t.log_prob / norm(t);
    const auto end = std::find(t.words.begin(), t.words.end(), eos);  // of a sentence that continued after its end
    t.words.erase(end, t.words.end());
  }
  std::stable_sort(finished.begin(), finished.end(), score_order);
  result.take(finished, o.n_best);
  return result;
}

/// Every possible sentence of at most `longest` words, best first.
inline NaiveResult exhaustive_search(Oracle& oracle, const SearchOptions& o, std::size_t longest) {
  NBest all;
  const std::function<void(Translation)> visit = [&](Translation t) {
    const std::vector<double>& p = oracle.next(t.words);
    for (std::size_t id = 0; id < p.size(); ++id) {
      if (id == 0 || id == 2 || (id == 3 && t.words.empty())) continue;  // <pad>, <bos>, <eos> as the first word
      Translation longer = t;
      longer.log_probs.push_back(p[id]);
      longer.log_prob += p[id];
      longer.score = longer.log_prob / std::pow((5.0 + double(longer.log_probs.size())) / 6, o.length_penalty);
      longer.ended = id == 3;
      if (!longer.ended) longer.words.push_back(static_cast<std::int32_t>(id));
      if (longer.ended || longer.words.size() == longest) {
        all.push_back(longer);
      } else {
        visit(longer);
      }
    }
  };
  visit({});
  std::sort(all.begin(), all.end(), score_order);
  NaiveResult result;
  result.take(all, o.n_best);
  return result;
}

/// Whether two searches agree: same words, scores to 1e-12.
inline bool same(const NBest& a, const NBest& b) {
  if (a.size() != b.size()) return false;
  const auto close = [](double x, double y) { return std::abs(x - y) <= 1e-12 * std::max(1.0, std::abs(x)); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].words != b[i].words || a[i].ended != b[i].ended || !close(a[i].log_prob, b[i].log_prob) ||
        !close(a[i].score, b[i].score) || a[i].log_probs.size() != b[i].log_probs.size()) {
      return false;
    }
    for (std::size_t k = 0; k < a[i].log_probs.size(); ++k) {
      if (!close(a[i].log_probs[k], b[i].log_probs[k])) return false;
    }
  }
  return true;
}

}  // namespace gradus::test
