#pragma once
/// \file
/// From sentence pairs to batches, and from a batch to the three rows of ids for teacher forcing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "10_training/data/pairs.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/text/specials.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// The marks around a sentence: source = tokens + eos; decoder input = bos + tokens; target = tokens + eos.
struct SentenceMarks {
  std::int32_t bos = Specials{}.bos, source_eos = Specials{}.eos, target_eos = Specials{}.eos;
};

/// Which sentences form a batch.
enum class BatchOrder {
  chance,  ///< those that follow each other in a shuffled order
  length   ///< those of similar length; here this saves no padding, because there is none
};

template <>
struct Names<BatchOrder> {
  static constexpr const char* noun = "order of batches";
  static constexpr Name<BatchOrder> table[] = {{BatchOrder::chance, "chance"}, {BatchOrder::length, "length"}};
};

struct BatchOptions {
  std::size_t tokens = 4096;  ///< at most this many source and this many target tokens, end marks included
  std::size_t sentences = 0;  ///< if not 0: exactly this many sentences instead (the last batch may have fewer)
  BatchOrder order = BatchOrder::chance;
};

using BatchList = std::vector<std::vector<std::uint32_t>>;  ///< the pairs of each batch

/// The batches of one epoch. Seed and epoch alone decide the shuffle, so a resumed run gets the same batches.
/// Throws Error if a single pair exceeds the limit: the caller removes such pairs first (see without_too_long).
BatchList make_batches(const PairsView& pairs, const BatchOptions& options, std::uint64_t seed,
                       std::uint32_t epoch);

/// `count` different numbers below `all`, ascending, by chance: those that a training keeps for its validation. The seed alone
/// decides. Throws Error if there are not as many.
std::vector<std::uint32_t> chosen_pairs(std::size_t count, std::size_t all, std::uint64_t seed);

/// The pairs with no empty side and at most `longest` tokens on each side (end mark included); `dropped` counts the
/// others.
IdPairs without_too_long(IdPairs pairs, std::size_t longest, std::size_t& dropped);

/// Splits a batch into `parts` runs of consecutive sentences, with source + target tokens as equal as possible. A
/// part may be empty.
BatchList split_batch(const std::vector<std::uint32_t>& batch, const PairsView& pairs, std::size_t parts);

/// A batch in host memory, for results that are computed once; training takes its batches on the device
/// (take_batch.hpp). Row n of the decoder reads decoder_input[n] and must output target[n].
struct HostBatch {
  std::vector<std::int32_t> source, decoder_input, target;
  SegmentTable source_segments, target_segments;
};

/// The size of a batch: rows, sentences, tokens of the longest sentence, end marks included.
struct BatchSize {
  std::size_t source_rows = 0, target_rows = 0, sentences = 0, longest_source = 0, longest_target = 0;
};
BatchSize batch_size(const std::vector<std::uint32_t>& batch, const PairsView& pairs);

/// The size that holds every batch of these pairs and options.
BatchSize batch_capacity(const PairsView& pairs, const BatchOptions& options);

/// Sentences one after the other, each between its marks. `begin` holds where each sentence begins, and the end of
/// the last one. Throws Error beyond 2^31 tokens.
struct ConcatenatedSentences {
  std::vector<std::int32_t> ids, begin;
};
ConcatenatedSentences concatenate(const std::vector<std::vector<std::int32_t>>& sentences,
                                  std::optional<std::int32_t> bos, std::int32_t eos);

/// Packs the pairs `which` into rows, in this order.
HostBatch pack(const std::vector<std::uint32_t>& which, const IdPairs& pairs, const SentenceMarks& marks);

}  // namespace gradus
