#include "11_translator/search/batch_search.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "11_translator/search/beam_past.hpp"

namespace gradus {
namespace {

std::int32_t to_int(std::size_t n) { return static_cast<std::int32_t>(n); }

void append(SegmentTable& table, std::size_t begin, std::size_t length) {
  table.begin.push_back(to_int(begin));
  table.length.push_back(to_int(length));
  table.longest = std::max(table.longest, length);
}

}  // namespace

BatchSearch::BatchSearch(const BatchPlaces& places, const SearchOptions& options, const ModelConfig& config)
    : room_(places.room), options_(options), config_(config), places_(places.count) {
  if (past_rows() > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError("batches of " + std::to_string(places.count * room_.sentences) + " sentences with a beam of " +
                     std::to_string(options.beam_size) +
                     " are too large: take a smaller beam, or fewer sentences at a time");
  }
}

/// has_room() lets no batch begin that would make more.
std::size_t BatchSearch::sentences() const {
  return std::min(std::max(options_.batch_sentences, room_.sentences), places_.size() * room_.sentences);
}

/// The next batch has one sentence, no longer than those before it, or several with at most part_tokens().
bool BatchSearch::has_room() const {
  std::size_t sentences = 0, tokens = 0;
  bool is_free = false;
  for (const Place& place : places_) {
    is_free = is_free || place.states.empty();
    for (const State& state : place.states) {
      if (state.search.open().empty()) continue;
      ++sentences;
      tokens += state.tokens;
    }
  }
  const bool is_full = sentences + room_.sentences > options_.batch_sentences ||
                       tokens + std::max(options_.part_tokens(), last_tokens_) > options_.batch_tokens;
  return is_free && (sentences == 0 || !is_full);
}

std::optional<BatchSearch::Begun> BatchSearch::begin_next(BatchQueue& queue) {
  if (!has_room()) return std::nullopt;
  std::optional<SearchBatch> batch = queue.take();
  if (!batch) return std::nullopt;
  const std::size_t first = begin(*batch);
  return Begun{std::move(batch->sources), first};
}

/// Returns the first source row.
std::size_t BatchSearch::begin(const SearchBatch& batch) {
  const auto place = std::find_if(places_.begin(), places_.end(), [](const Place& p) { return p.states.empty(); });
  const auto index = static_cast<std::size_t>(place - places_.begin());
  const std::size_t first_source = index * room_.source_rows, first_row = index * room_.past_rows;
  std::size_t source = first_source, row = first_row;
  place->number = batch.number;
  for (const Sentence& s : batch.sources) {
    const std::size_t longest = longest_translation(s.size(), options_.decoding, config_);
    const std::size_t capacity = rows_of_past(config_.decoder_unit, longest);
    place->states.push_back({SentenceSearch(options_, longest, s), source, s.size(), row, capacity, {0}, {0}});
    source += s.size();
    row += options_.beam_size * capacity;
  }
  require(batch.sources.size() <= room_.sentences && source <= first_source + room_.source_rows &&
              row <= first_row + room_.past_rows,
          "the batch is larger than its place");
  last_tokens_ = source - first_source;
  return first_source;
}

bool BatchSearch::open() const {
  return std::any_of(places_.begin(), places_.end(), [](const Place& place) { return !place.states.empty(); });
}

std::vector<BatchResults> BatchSearch::extend(const std::vector<double>& scores,
                                              const std::vector<std::int32_t>& ids, std::size_t candidates) {
  from_.clear();
  to_.clear();
  std::vector<BatchResults> ended;
  std::size_t row = 0;
  for (Place& place : places_) {
    bool is_open = false;
    for (State& state : place.states) {
      const std::size_t beams = state.search.open().size();
      if (beams == 0) continue;
      state.search.extend(scores.data() + row * candidates, ids.data() + row * candidates, candidates);
      assign_spans(state);
      row += beams;
      is_open = is_open || !state.search.open().empty();
    }
    if (is_open || place.states.empty()) continue;
    ended.push_back({place.number, {}});
    for (const State& state : place.states) ended.back().results.push_back(state.search.result());
    place.states.clear();
  }
  return ended;
}

void BatchSearch::assign_spans(State& state) {
  const std::vector<Beam>& open = state.search.open();
  std::vector<std::size_t> spans(open.size()), parents(open.size()), branches;
  std::vector<bool> inherited(state.spans.size()), taken(options_.beam_size);
  for (std::size_t b = 0; b < open.size(); ++b) {
    const std::size_t parent = open[b].parent;
    parents[b] = state.spans[parent];
    if (inherited[parent]) {
      branches.push_back(b);
      continue;
    }
    spans[b] = parents[b];
    inherited[parent] = taken[spans[b]] = true;
  }
  std::size_t free = 0;
  for (const std::size_t b : branches) {
    while (taken[free]) ++free;
    spans[b] = free++;
    if (keeps_state(config_.decoder_unit)) continue;
    const std::size_t from = state.first_row + parents[b] * state.capacity;
    const std::size_t to = state.first_row + spans[b] * state.capacity;
    for (std::size_t j = 0; j < open[b].words.size(); ++j) {  // <bos> and all words except the last
      from_.push_back(to_int(from + j));
      to_.push_back(to_int(to + j));
    }
  }
  state.spans = std::move(spans);
  state.parents = std::move(parents);
}

StepTable BatchSearch::step() const {
  StepTable table;
  table.from = from_;
  table.to = to_;
  for (const Place& place : places_) {
    for (const State& state : place.states) append_rows(table, state);
  }
  table.rows.rows = table.beams.rows = table.ids.size();
  table.sources.rows = source_rows();
  table.past.rows = past_rows();
  table.sources.longest = room_.longest_source;
  table.past.longest = room_.longest_translation;  // by capacity, so that all steps take the same workspace
  table.beams.longest = options_.beam_size;
  return table;
}

void BatchSearch::append_rows(StepTable& table, const State& state) const {
  const std::vector<Beam>& open = state.search.open();
  if (open.empty()) return;
  append(table.beams, table.ids.size(), open.size());
  append(table.sources, state.first_source, state.tokens);
  for (std::size_t b = 0; b < open.size(); ++b) {
    const std::size_t length = open[b].words.size();  // the decoder reads <bos> and these words
    append_past(table, state, b);
    append(table.rows, table.ids.size(), 1);
    table.ids.push_back(length == 0 ? options_.decoding.specials.bos : open[b].words.back());
    table.position.push_back(to_int(length));
  }
}

void BatchSearch::append_past(StepTable& table, const State& state, std::size_t beam) const {
  const std::size_t length = state.search.open()[beam].words.size();
  const std::size_t first = state.first_row + state.spans[beam] * state.capacity;
  if (!keeps_state(config_.decoder_unit)) {
    append(table.past, first, length + 1);
    table.at.push_back(to_int(first + length));
    return;
  }
  if (length > 0) {
    table.from.push_back(to_int(state.first_row + state.parents[beam]));
    table.to.push_back(to_int(table.ids.size()));
  }
  table.at.push_back(to_int(first));
}

std::vector<Beam> BatchSearch::open_beams() const {
  std::vector<Beam> beams;
  for (const Place& place : places_) {
    for (const State& state : place.states)
      beams.insert(beams.end(), state.search.open().begin(), state.search.open().end());
  }
  return beams;
}

}  // namespace gradus
