#include "11_translator/search/batches.hpp"

#include <algorithm>
#include <numeric>

#include "11_translator/search/beam_past.hpp"

namespace gradus {
namespace {

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The source tokens after which a batch ends, so that all workers get about equal work: all tokens if there is one
/// worker, or if batches shall be full. With many batches for each worker the work is equal enough, and full batches are faster.
std::size_t batch_share(const std::vector<Sentence>& sources, const SearchOptions& options, std::size_t workers) {
  constexpr std::size_t many = 4;
  std::size_t tokens = 0;
  for (const Sentence& source : sources) tokens += source.size();
  const std::size_t batches =
      std::max(quotient_up(tokens, options.part_tokens()), quotient_up(sources.size(), options.part_sentences()));
  if (options.full_batches || workers == 1 || batches >= many * workers) return tokens;
  return quotient_up(tokens, std::max<std::size_t>(1, workers * quotient_up(batches, workers)));
}

/// Grows `room` until this batch fits.
void fit(BatchRoom& room, const std::vector<Sentence>& sources, const std::vector<std::size_t>& batch,
         const SearchOptions& options, const ModelConfig& config) {
  std::size_t source_rows = 0, past_rows = 0;
  for (const std::size_t i : batch) {
    const std::size_t words = longest_translation(sources[i].size(), options.decoding, config);
    source_rows += sources[i].size();
    past_rows += options.beam_size * rows_of_past(config.decoder_unit, words);
    room.longest_source = std::max(room.longest_source, sources[i].size());
    room.longest_translation = std::max(room.longest_translation, words);
  }
  room.sentences = std::max(room.sentences, batch.size());
  room.source_rows = std::max(room.source_rows, source_rows);
  room.past_rows = std::max(room.past_rows, past_rows);
}

}  // namespace

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
    if (batches.empty() || batches.back().size() == options.part_sentences() || tokens > options.part_tokens() ||
        earlier >= share * batches.size()) {
      batches.emplace_back();
      tokens = sources[i].size();
    }
    batches.back().push_back(i);
    earlier += sources[i].size();
  }
  return batches;
}

BatchQueue::BatchQueue(const std::vector<Sentence>& sources, const std::vector<std::vector<std::size_t>>& batches,
                       Ranks& ranks)
    : sources_(sources),
      batches_(batches),
      rank_(ranks.rank()),
      ranks_(ranks.size()),
      next_(ranks.rank()),
      results_(batches.size()) {}

std::size_t BatchQueue::size() const {
  return batches_.size() > rank_ ? quotient_up(batches_.size() - rank_, ranks_) : 0;
}

BatchPlaces BatchQueue::places(std::size_t searchers, const SearchOptions& options,
                               const ModelConfig& config) const {
  BatchPlaces places;
  const std::size_t of_each = quotient_up(size(), std::max<std::size_t>(1, searchers));
  places.count = std::clamp<std::size_t>(of_each, 1, options.places());
  for (std::size_t b = rank_; b < batches_.size(); b += ranks_)
    fit(places.room, sources_, batches_[b], options, config);
  return places;
}

std::optional<SearchBatch> BatchQueue::take() {
  const std::size_t b = next_.fetch_add(ranks_);
  if (b >= batches_.size()) return std::nullopt;
  SearchBatch batch{b, {}};
  for (const std::size_t i : batches_[b]) batch.sources.push_back(sources_[i]);
  return batch;
}

void BatchQueue::keep(BatchResults results) { results_[results.number] = std::move(results.results); }

}  // namespace gradus
