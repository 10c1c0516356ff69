#pragma once
/// \file
/// A corpus and its batches in the memory of a device, so that a step needs no token from the host.

#include <type_traits>
#include <utility>
#include <vector>

#include "09_transformer/batch.hpp"
#include "10_training/data/batches.hpp"
#include "10_training/data/take_batch.hpp"

namespace gradus {

/// Sentence pairs, and the batches of an epoch.
template <class Dev>
class Corpus {
 public:
  /// Copies all ids to the device, with their marks. If the pairs are rows, they have their marks, and a device that
  /// computes in the host's memory reads them where they are. `pairs` must outlive the object.
  Corpus(Dev& dev, const PairsView& pairs, const SentenceMarks& marks) : pairs_(pairs) {
    if (const IdPairs* vectors = pairs.vectors()) {
      source_ = stored(dev, concatenate(vectors->source, {}, marks.source_eos));
      target_ = stored(dev, concatenate(vectors->target, {marks.bos}, marks.target_eos));
    } else if constexpr (std::is_same_v<typename Dev::Space, Host>) {
      source_ = pairs.source_rows();
      target_ = pairs.target_rows();
    } else {
      source_ = stored(dev, copy_of(pairs.source_rows()));
      target_ = stored(dev, copy_of(pairs.target_rows()));
    }
    order_ = memory_.ints(pairs.size());
  }

  /// From now on batch k is batches[k]. Each pair occurs once; usually these are the batches of an epoch.
  void set_batches(Dev& dev, BatchList batches) {
    batches_ = std::move(batches);
    first_.clear();
    std::vector<std::int32_t> order;
    order.reserve(pairs_.size());
    for (const auto& batch : batches_) {
      first_.push_back(static_cast<std::uint32_t>(order.size()));
      order.insert(order.end(), batch.begin(), batch.end());
    }
    order.resize(pairs_.size());
    write(dev, order_, order);
  }

  const PairsView& pairs() const { return pairs_; }
  const BatchList& batches() const { return batches_; }
  std::uint32_t first_pair(std::size_t k) const { return first_[k]; }  ///< of batch k, in the order of the pairs

  const Sentences<Dev>& source() const { return source_; }  ///< w1 w2 ... <eos>
  const Sentences<Dev>& target() const { return target_; }  ///< <bos> w1 w2 ... <eos>
  Ints<Dev, 1> order() const { return order_; }

 private:
  Sentences<Dev> stored(Dev& dev, const ConcatenatedSentences& host) {
    const auto ids = memory_.ints(host.ids.size()), begin = memory_.ints(host.begin.size());
    write(dev, ids, host.ids);
    write(dev, begin, host.begin);
    return {ids, begin};
  }

  static ConcatenatedSentences copy_of(const HostSentences& rows) {
    return {{rows.ids.data, rows.ids.data + rows.ids.extent[0]},
            {rows.begin.data, rows.begin.data + rows.begin.extent[0]}};
  }

  PairsView pairs_;
  BatchList batches_;
  std::vector<std::uint32_t> first_;
  Workspace<typename Dev::Real, typename Dev::Space> memory_;
  Sentences<Dev> source_, target_;
  OutInts<Dev, 1> order_;
};

/// The memory of a batch, used again for the next one.
template <class Dev>
class DeviceBatch {
 public:
  /// Reserves memory for a batch of this size. A device may ask for more, up to `most`, so that the next batch needs the
  /// same room.
  void reserve(const BatchSize& size, const BatchSize& most = {}) {
    const auto capacity = [&](std::size_t BatchSize::*of) { return Dev::capacity(size.*of, most.*of); };
    const std::size_t B = capacity(&BatchSize::sentences), Ns = capacity(&BatchSize::source_rows),
                      Nt = capacity(&BatchSize::target_rows);
    memory_.settle();
    source_ = {memory_.ints(Ns), {}, memory_.ints(B), memory_.ints(B)};
    target_ = {memory_.ints(Nt), memory_.ints(Nt), memory_.ints(B), memory_.ints(B)};
    batch_ = {source_.ids,
              {source_.begin, source_.length, Ns, capacity(&BatchSize::longest_source)},
              target_.ids,
              {target_.begin, target_.length, Nt, capacity(&BatchSize::longest_target)},
              target_.next};
  }

  /// Takes the pairs that the step state names, into the reserved memory.
  void take(Dev& dev, const Corpus<Dev>& corpus) {
    take_sentences(dev, source_, corpus.source(), corpus.order());
    take_sentences(dev, target_, corpus.target(), corpus.order());
  }

  /// Copies a batch that was packed on the host, for a batch that is computed once.
  void load(Dev& dev, const HostBatch& host) {
    reserve({host.source.size(), host.target.size(), host.source_segments.begin.size(),
             host.source_segments.longest, host.target_segments.longest});
    write(dev, source_.ids, host.source);
    write(dev, source_.begin, host.source_segments.begin);
    write(dev, source_.length, host.source_segments.length);
    write(dev, target_.ids, host.decoder_input);
    write(dev, target_.next, host.target);
    write(dev, target_.begin, host.target_segments.begin);
    write(dev, target_.length, host.target_segments.length);
  }

  const Batch<Dev>& view() const { return batch_; }

  StepSizes sizes() const {
    return {batch_.sources.rows,    batch_.targets.rows,    batch_.sources.sentences(),
            batch_.sources.longest, batch_.targets.longest, memory_.allocations()};
  }

 private:
  Workspace<typename Dev::Real, typename Dev::Space> memory_;
  BatchSide<Dev> source_, target_;
  Batch<Dev> batch_;
};

}  // namespace gradus
