#include "11_translator/search/search_host.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace gradus {
namespace {

struct Candidate {
  std::size_t beam;
  std::int32_t id;
  double log_prob, total;
};

/// Orders by score; equal scores by beam, then by id. So the order is always the same.
bool better(const Candidate& a, const Candidate& b) {
  if (a.total != b.total) return a.total > b.total;
  return a.beam != b.beam ? a.beam < b.beam : a.id < b.id;
}

}  // namespace

void SearchOptions::check() const {
  const std::string beams = "the beam size is " + std::to_string(beam_size);
  if (beam_size < 1 || beam_size > 10000) throw UsageError(beams + ", but must be between 1 and 10000");
  if (n_best < 1 || n_best > beam_size) {
    throw UsageError(beams + ", so " + std::to_string(n_best) + " translations of a sentence cannot be asked for");
  }
  if (!(length_penalty >= 0 && length_penalty <= 100)) {
    throw UsageError("the length penalty is " + std::to_string(length_penalty) + ", but must be between 0 and 100");
  }
  if (batch_sentences < 1) throw UsageError("a batch must hold at least one sentence");
  require(parts >= 1, "a batch has at least one part");
}

double length_norm(std::size_t length, double alpha) {
  return std::pow((5 + static_cast<double>(length)) / 6, alpha);  // eq:11.1
}

SentenceSearch::SentenceSearch(const SearchOptions& options, std::size_t longest)
    : options_(options), longest_(longest), open_(1) {}

void SentenceSearch::extend(const double* scores, const std::int32_t* ids, std::size_t candidates) {
  std::vector<Candidate> all;
  for (std::size_t b = 0; b < open_.size(); ++b) {
    for (std::size_t k = b * candidates; k < (b + 1) * candidates; ++k) {
      if (std::isnan(scores[k]))
        fail("the model gave a log probability that is not a number; its weights are broken");
      if (is_suppressed(ids[k], options_.decoding.specials)) continue;
      all.push_back({b, ids[k], scores[k], open_[b].log_prob + scores[k]});
    }
  }
  const std::size_t best = std::min(all.size(), options_.beam_size - finished_.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(best), all.end(), better);

  std::vector<Beam> next;
  for (std::size_t i = 0; i < best; ++i) {
    Beam beam = open_[all[i].beam];
    beam.parent = all[i].beam;
    beam.log_prob = all[i].total;
    beam.log_probs.push_back(all[i].log_prob);
    if (all[i].id == options_.decoding.specials.eos) {
      finish(beam, true);
      continue;
    }
    beam.words.push_back(all[i].id);
    if (beam.words.size() == longest_) {
      finish(beam, false);
    } else {
      next.push_back(std::move(beam));
    }
  }
  open_ = std::move(next);
  if (settled()) open_.clear();
}

void SentenceSearch::finish(const Beam& beam, bool ended) {
  const double score = beam.log_prob / length_norm(beam.log_probs.size(), options_.length_penalty);
  const auto worse =
      std::find_if(finished_.begin(), finished_.end(), [&](const auto& t) { return t.score < score; });
  finished_.insert(worse, {beam.words, beam.log_probs, beam.log_prob, score, ended});
}

/// Whether the n best are final. The sum of an open beam can only fall, and the longest translation has the largest
/// norm. So their quotient is an upper bound for the final score of the beam.                           (eq:11.2)
bool SentenceSearch::settled() const {
  if (finished_.size() < options_.n_best) return false;
  const double to_beat = finished_[options_.n_best - 1].score;
  const double largest_norm = length_norm(longest_, options_.length_penalty);
  return std::none_of(open_.begin(), open_.end(),
                      [&](const Beam& beam) { return beam.log_prob / largest_norm > to_beat; });
}

NBest SentenceSearch::result() const {
  const std::size_t n = std::min(finished_.size(), options_.n_best);
  return {finished_.begin(), finished_.begin() + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace gradus
