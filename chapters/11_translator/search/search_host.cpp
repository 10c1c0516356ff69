#include "11_translator/search/search_host.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

std::int32_t to_int(std::size_t n) { return static_cast<std::int32_t>(n); }

void append(SegmentTable& table, std::size_t begin, std::size_t length) {
  table.begin.push_back(to_int(begin));
  table.length.push_back(to_int(length));
  table.longest = std::max(table.longest, length);
}

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The source tokens after which a batch ends, so that all workers get about equal work: all tokens if there is one
/// worker, or if batches shall be full. With many batches for each worker the work is equal enough, and full batches are faster.
std::size_t batch_share(const std::vector<Sentence>& sources, const SearchOptions& options, std::size_t workers) {
  constexpr std::size_t many = 4;
  std::size_t tokens = 0;
  for (const Sentence& source : sources) tokens += source.size();
  const std::size_t batches =
      std::max(quotient_up(tokens, options.batch_tokens), quotient_up(sources.size(), options.batch_sentences));
  if (options.full_batches || workers == 1 || batches >= many * workers) return tokens;
  return quotient_up(tokens, std::max<std::size_t>(1, workers * quotient_up(batches, workers)));
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

BatchSearch::BatchSearch(const std::vector<Sentence>& sources, const SearchOptions& options,
                         const ModelConfig& config)
    : bos_(options.decoding.specials.bos), beam_size_(options.beam_size) {
  options.check();
  std::vector<std::int32_t> lengths;
  for (const Sentence& source : sources) {
    const std::size_t capacity = longest_translation(source.size(), options.decoding, config);
    states_.push_back({SentenceSearch(options, capacity), cache_rows_, capacity, {0}});
    cache_rows_ += options.beam_size * capacity;
    longest_ = std::max(longest_, capacity);
    lengths.push_back(to_int(source.size()));
  }
  if (cache_rows_ > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError("a batch of " + std::to_string(sources.size()) + " sentences with a beam of " +
                     std::to_string(beam_size_) +
                     " is too large: take a smaller beam, or fewer sentences at a time");
  }
  beams_ = options.beam_size * sources.size();
  sources_ = SegmentTable::packed(lengths);
  make_table();
}

void BatchSearch::extend(const std::vector<double>& scores, const std::vector<std::int32_t>& ids,
                         std::size_t candidates) {
  table_.from.clear();
  table_.to.clear();
  std::size_t row = 0;
  for (State& state : states_) {
    const std::size_t beams = state.search.open().size();
    if (beams == 0) continue;
    state.search.extend(scores.data() + row * candidates, ids.data() + row * candidates, candidates);
    assign_slots(state);
    row += beams;
  }
  make_table();
}

void BatchSearch::assign_slots(State& state) {
  const std::vector<Beam>& open = state.search.open();
  std::vector<std::size_t> slots(open.size()), branches;
  std::vector<bool> inherited(state.slots.size()), taken(beam_size_);
  for (std::size_t b = 0; b < open.size(); ++b) {
    const std::size_t parent = open[b].parent;
    if (inherited[parent]) {
      branches.push_back(b);
      continue;
    }
    slots[b] = state.slots[parent];
    inherited[parent] = taken[slots[b]] = true;
  }
  std::size_t free = 0;
  for (const std::size_t b : branches) {
    while (taken[free]) ++free;
    slots[b] = free++;
    const std::size_t from = state.first_row + state.slots[open[b].parent] * state.capacity;
    const std::size_t to = state.first_row + slots[b] * state.capacity;
    for (std::size_t j = 0; j < open[b].words.size(); ++j) {  // <bos> and all words except the last
      table_.from.push_back(to_int(from + j));
      table_.to.push_back(to_int(to + j));
    }
  }
  state.slots = std::move(slots);
}

void BatchSearch::make_table() {
  StepTable next;
  next.from = std::move(table_.from);
  next.to = std::move(table_.to);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const std::vector<Beam>& open = states_[i].search.open();
    if (open.empty()) continue;
    append(next.beams, next.ids.size(), open.size());
    append(next.sources, static_cast<std::size_t>(sources_.begin[i]), static_cast<std::size_t>(sources_.length[i]));
    for (std::size_t b = 0; b < open.size(); ++b) {
      const std::size_t length = open[b].words.size();  // the decoder reads <bos> and these words
      const std::size_t first = states_[i].first_row + states_[i].slots[b] * states_[i].capacity;
      append(next.rows, next.ids.size(), 1);
      append(next.history, first, length + 1);
      next.ids.push_back(length == 0 ? bos_ : open[b].words.back());
      next.position.push_back(to_int(length));
      next.at.push_back(to_int(first + length));
    }
  }
  next.rows.rows = next.beams.rows = next.ids.size();
  next.sources.rows = sources_.rows;
  next.sources.longest = sources_.longest;
  next.history.rows = cache_rows_;
  next.history.longest = longest_;  // by capacity, so that all steps take the same workspace
  next.beams.longest = beam_size_;
  table_ = std::move(next);
}

std::vector<NBest> BatchSearch::results() const {
  std::vector<NBest> all;
  for (const State& state : states_) all.push_back(state.search.result());
  return all;
}

std::vector<std::vector<std::size_t>> search_batches(const std::vector<Sentence>& sources,
                                                     const SearchOptions& options, std::size_t workers) {
  std::vector<std::size_t> order(sources.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sources[a].size() > sources[b].size(); });
  const std::size_t share = batch_share(sources, options, workers);
  std::vector<std::vector<std::size_t>> batches;
  std::size_t tokens = 0, earlier = 0;  // of the last batch, of all batches
  for (const std::size_t i : order) {
    tokens += sources[i].size();
    if (batches.empty() || batches.back().size() == options.batch_sentences || tokens > options.batch_tokens ||
        earlier >= share * batches.size()) {
      batches.emplace_back();
      tokens = sources[i].size();
    }
    batches.back().push_back(i);
    earlier += sources[i].size();
  }
  return batches;
}

}  // namespace gradus
