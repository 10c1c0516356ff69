#include "10_training/data/batches.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "gradus/random/philox.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::uint32_t shuffle_site = 0xFFFFFFFF;  // no dropout has this site, so no random number is drawn twice

/// The Fisher-Yates shuffle, with one counter for each exchange. `purpose` separates the shuffles of one epoch.
template <class T>
void shuffle(std::vector<T>& items, std::uint64_t seed, std::uint32_t epoch, std::uint32_t purpose) {
  for (std::size_t i = items.size(); i > 1; --i) {
    const Philox4 words = philox({static_cast<std::uint32_t>(i), purpose, shuffle_site, epoch}, seed);
    const std::uint64_t wide = (std::uint64_t{words[0]} << 32) | words[1];
    std::swap(items[i - 1], items[wide % i]);
  }
}

}  // namespace

BatchList make_batches(const PairsView& pairs, const BatchOptions& options, std::uint64_t seed,
                       std::uint32_t epoch) {
  std::vector<std::uint32_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, seed, epoch, 0);
  if (options.order == BatchOrder::length) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return pairs.target_tokens(a) < pairs.target_tokens(b);
    });
  }

  BatchList batches;
  std::size_t source = 0, target = 0;
  for (const std::uint32_t i : order) {
    const std::size_t s = pairs.source_tokens(i), t = pairs.target_tokens(i);
    if (options.sentences == 0 && std::max(s, t) > options.tokens) {
      fail("pair " + std::to_string(i + 1) + " has " + std::to_string(std::max(s, t)) + " tokens, a batch holds " +
           std::to_string(options.tokens));
    }
    const bool full = options.sentences != 0 ? !batches.empty() && batches.back().size() == options.sentences
                                             : std::max(source + s, target + t) > options.tokens;
    if (batches.empty() || full) {
      batches.emplace_back();
      source = target = 0;
    }
    batches.back().push_back(i);
    source += s;
    target += t;
  }
  if (options.order == BatchOrder::length) shuffle(batches, seed, epoch, 1);
  return batches;
}

std::vector<std::uint32_t> chosen_pairs(std::size_t count, std::size_t all, std::uint64_t seed) {
  require(count <= all && all <= std::numeric_limits<std::uint32_t>::max(),
          "no more pairs can be chosen than there are");
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, seed, 0, 2);  // epochs count from 1
  order.resize(count);
  std::sort(order.begin(), order.end());
  return order;
}

IdPairs without_too_long(IdPairs pairs, std::size_t longest, std::size_t& dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t source = pairs.source[i].size(), target = pairs.target[i].size();
    if (source == 0 || target == 0 || std::max(source, target) + 1 > longest) continue;
    std::swap(pairs.source[kept], pairs.source[i]);
    std::swap(pairs.target[kept], pairs.target[i]);
    ++kept;
  }
  dropped = pairs.size() - kept;
  pairs.source.resize(kept);
  pairs.target.resize(kept);
  return pairs;
}

BatchList split_batch(const std::vector<std::uint32_t>& batch, const PairsView& pairs, std::size_t parts) {
  std::size_t total = 0;
  for (const std::uint32_t i : batch) total += pairs.source_tokens(i) + pairs.target_tokens(i);
  BatchList result(parts);
  std::size_t before = 0;
  for (const std::uint32_t i : batch) {
    const std::size_t tokens = pairs.source_tokens(i) + pairs.target_tokens(i);
    const std::size_t middle = before + tokens / 2;  // a sentence belongs to the part that contains its middle
    result[middle * parts / total].push_back(i);
    before += tokens;
  }
  return result;
}

BatchSize batch_size(const std::vector<std::uint32_t>& batch, const PairsView& pairs) {
  BatchSize size;
  size.sentences = batch.size();
  for (const std::uint32_t i : batch) {
    const std::size_t s = pairs.source_tokens(i), t = pairs.target_tokens(i);
    size.source_rows += s;
    size.target_rows += t;
    size.longest_source = std::max(size.longest_source, s);
    size.longest_target = std::max(size.longest_target, t);
  }
  return size;
}

BatchSize batch_capacity(const PairsView& pairs, const BatchOptions& options) {
  std::vector<std::uint32_t> sources(pairs.size()), targets(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sources[i] = static_cast<std::uint32_t>(pairs.source_tokens(i));
    targets[i] = static_cast<std::uint32_t>(pairs.target_tokens(i));
  }
  for (auto* lengths : {&sources, &targets}) std::sort(lengths->begin(), lengths->end());
  if (pairs.size() == 0) return {};
  const auto limited = [&](const std::vector<std::uint32_t>& lengths) {
    return std::min(options.tokens, std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}));
  };
  BatchSize capacity{limited(sources), limited(targets), 0, sources.back(), targets.back()};
  if (options.sentences != 0) {
    capacity.sentences = std::min(options.sentences, pairs.size());
    const auto sum_of_longest = [&](const std::vector<std::uint32_t>& lengths) {
      return std::accumulate(lengths.end() - static_cast<std::ptrdiff_t>(capacity.sentences), lengths.end(),
                             std::size_t{0});
    };
    capacity.source_rows = sum_of_longest(sources);
    capacity.target_rows = sum_of_longest(targets);
    return capacity;
  }
  // The batch with the most sentences is the one with the shortest.
  const auto fitting = [&](const std::vector<std::uint32_t>& lengths) {
    std::size_t n = 0, tokens = 0;
    while (n < lengths.size() && (tokens += lengths[n]) <= options.tokens) ++n;
    return n;
  };
  capacity.sentences = std::min(fitting(sources), fitting(targets));
  return capacity;
}

ConcatenatedSentences concatenate(const std::vector<std::vector<std::int32_t>>& sentences,
                                  std::optional<std::int32_t> bos, std::int32_t eos) {
  ConcatenatedSentences all;
  for (const auto& sentence : sentences) {
    all.begin.push_back(static_cast<std::int32_t>(all.ids.size()));
    if (bos) all.ids.push_back(*bos);
    all.ids.insert(all.ids.end(), sentence.begin(), sentence.end());
    all.ids.push_back(eos);
    if (all.ids.size() > std::numeric_limits<std::int32_t>::max()) fail("a corpus has at most 2^31 - 1 tokens");
  }
  all.begin.push_back(static_cast<std::int32_t>(all.ids.size()));
  return all;
}

HostBatch pack(const std::vector<std::uint32_t>& which, const IdPairs& pairs, const SentenceMarks& marks) {
  HostBatch batch;
  std::vector<std::int32_t> source_lengths, target_lengths;
  for (const std::uint32_t i : which) {
    const auto &s = pairs.source[i], &t = pairs.target[i];
    batch.source.insert(batch.source.end(), s.begin(), s.end());
    batch.source.push_back(marks.source_eos);
    batch.decoder_input.push_back(marks.bos);
    batch.decoder_input.insert(batch.decoder_input.end(), t.begin(), t.end());
    batch.target.insert(batch.target.end(), t.begin(), t.end());
    batch.target.push_back(marks.target_eos);
    source_lengths.push_back(static_cast<std::int32_t>(s.size() + 1));
    target_lengths.push_back(static_cast<std::int32_t>(t.size() + 1));
  }
  batch.source_segments = SegmentTable::packed(source_lengths);
  batch.target_segments = SegmentTable::packed(target_lengths);
  return batch;
}

}  // namespace gradus
