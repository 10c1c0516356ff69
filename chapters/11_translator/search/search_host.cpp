#include "11_translator/search/search_host.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace gradus {
namespace {

bool has_repetition(Sentence words) {
  std::sort(words.begin(), words.end());
  return std::adjacent_find(words.begin(), words.end()) != words.end();
}

/// Whether `a` ranks above `b`. The score of a cut translation lacks what its end would have cost, so it cannot be compared.
bool ranks_above(const Translation& a, const Translation& b) {
  return a.ended != b.ended ? a.ended : a.score > b.score;
}

}  // namespace

/// A beam with one word more. `total` is what it is ranked by.
struct SentenceSearch::Candidate {
  std::size_t beam;
  std::int32_t id;
  double log_prob, penalty, total;

  /// Orders by score; equal scores by beam, then by id. So the order is always the same.
  static bool better(const Candidate& a, const Candidate& b) {
    if (a.total != b.total) return a.total > b.total;
    return a.beam != b.beam ? a.beam < b.beam : a.id < b.id;
  }
};

void SearchOptions::check() const {
  const std::string beams = "the beam size is " + std::to_string(beam_size);
  if (beam_size < 1 || beam_size > 10000) throw UsageError(beams + ", but must be between 1 and 10000");
  if (n_best < 1 || n_best > beam_size) {
    throw UsageError(beams + ", so " + std::to_string(n_best) + " translations of a sentence cannot be asked for");
  }
  if (!(length_penalty >= 0 && length_penalty <= 100)) {
    throw UsageError("the length penalty is " + std::to_string(length_penalty) + ", but must be between 0 and 100");
  }
  if (!(repetition_penalty >= 0 && repetition_penalty <= 100))
    throw UsageError("the repetition penalty is " + std::to_string(repetition_penalty) +
                     ", but must be between 0 and 100");
  require(excess_penalty >= 0, "a penalty is not negative");
  if (batch_sentences < 1) throw UsageError("a batch must hold at least one sentence");
  require(parts >= 1, "a batch has at least one part");
}

double length_norm(std::size_t length, double alpha) {
  return std::pow((5 + static_cast<double>(length)) / 6, alpha);  // eq:11.1
}

SentenceSearch::SentenceSearch(const SearchOptions& options, std::size_t longest, const Sentence& source)
    : options_(options),
      longest_(longest),
      source_length_(source.size()),
      may_repeat_(has_repetition(source)),
      open_(1) {}

/// Every continuation that may be chosen, by every beam. <eos> may be the first word if there is no other.
std::vector<SentenceSearch::Candidate> SentenceSearch::allowed(const double* scores, const std::int32_t* ids,
                                                               std::size_t candidates) const {
  const Specials& specials = options_.decoding.specials;
  std::vector<Candidate> all, last_resort;
  for (std::size_t b = 0; b < open_.size(); ++b) {
    const Beam& beam = open_[b];
    const double excess = beam.words.size() >= source_length_ ? options_.excess_penalty : 0;
    for (std::size_t k = b * candidates; k < (b + 1) * candidates; ++k) {
      if (std::isnan(scores[k]))
        fail("the model gave a log probability that is not a number; its weights are broken");
      const bool repeats = !may_repeat_ && std::count(beam.words.begin(), beam.words.end(), ids[k]) != 0;
      const double penalty = beam.penalty + excess + (repeats ? options_.repetition_penalty : 0);
      const Candidate one{b, ids[k], scores[k], penalty, beam.log_prob + scores[k] - penalty};
      if (repeats && ids[k] == beam.words.back() && options_.stands_once && options_.stands_once(ids[k])) continue;
      if (!is_suppressed(ids[k], specials, beam.words.size())) {
        all.push_back(one);
      } else if (ids[k] == specials.eos) {
        last_resort.push_back(one);
      }
    }
  }
  return all.empty() ? last_resort : all;
}

void SentenceSearch::extend(const double* scores, const std::int32_t* ids, std::size_t candidates) {
  std::vector<Candidate> all = allowed(scores, ids, candidates);
  const std::size_t places = options_.beam_size - finished_.size();
  const std::size_t sorted =
      std::min(all.size(), places + open_.size());  // each beam may end with a text that is refused
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(sorted), all.end(), Candidate::better);

  std::vector<Beam> next;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < sorted && taken < places; ++i) {
    Beam beam = open_[all[i].beam];
    beam.parent = all[i].beam;
    beam.log_prob += all[i].log_prob;
    beam.penalty = all[i].penalty;
    beam.log_probs.push_back(all[i].log_prob);
    const bool ends = all[i].id == options_.decoding.specials.eos;
    if (!ends) beam.words.push_back(all[i].id);
    if (options_.watch) options_.watch(beam);
    if (ends || beam.words.size() == longest_) {
      taken += finish(beam, ends) ? 1 : 0;
    } else {
      next.push_back(std::move(beam));
      ++taken;
    }
  }
  open_ = std::move(next);
  if (settled()) open_.clear();
}

/// False if its text is empty or unwanted, or that of another translation: of the two the better one stays, and no further place is taken.
bool SentenceSearch::finish(const Beam& beam, bool ended) {
  const double norm = length_norm(beam.log_probs.size(), options_.length_penalty);
  const double score = (beam.log_prob - beam.penalty) / norm;
  Finished one{{beam.words, beam.log_probs, beam.log_prob, score, ended}, {}};
  bool is_new = true;
  if (options_.text) {
    one.text = options_.text(beam.words);
    if (one.text.empty() || (!may_repeat_ && options_.is_unwanted && options_.is_unwanted(one.text))) {
      if (!unwanted_ || ranks_above(one.translation, *unwanted_)) unwanted_ = one.translation;
      return false;
    }
    const auto same =
        std::find_if(finished_.begin(), finished_.end(), [&](const Finished& f) { return f.text == one.text; });
    is_new = same == finished_.end();
    if (!is_new && !ranks_above(one.translation, same->translation)) return false;
    if (!is_new) finished_.erase(same);
  }
  const auto worse = std::find_if(finished_.begin(), finished_.end(),
                                  [&](const Finished& f) { return ranks_above(one.translation, f.translation); });
  finished_.insert(worse, std::move(one));
  return is_new;
}

/// Whether the n best are final. The sum of an open beam, less its penalties, can only fall, and the longest translation has the largest
/// norm. So their quotient is an upper bound for the final score of the beam. None of the n best is cut while a beam is open. (eq:11.2)
bool SentenceSearch::settled() const {
  if (finished_.size() < options_.n_best) return false;
  const double to_beat = finished_[options_.n_best - 1].translation.score;
  const double largest_norm = length_norm(longest_, options_.length_penalty);
  return std::none_of(open_.begin(), open_.end(),
                      [&](const Beam& beam) { return (beam.log_prob - beam.penalty) / largest_norm > to_beat; });
}

NBest SentenceSearch::result() const {
  if (finished_.empty() && unwanted_) return {*unwanted_};
  NBest best;
  for (std::size_t i = 0; i < std::min(finished_.size(), options_.n_best); ++i)
    best.push_back(finished_[i].translation);
  return best;
}

}  // namespace gradus
