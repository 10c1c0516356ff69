#pragma once
/// \file
/// A corpus as ids, in the memory of this machine, in one of two forms: vectors, or rows of a file.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus {

/// A corpus as ids, without end marks: pair i is source[i], target[i].
struct IdPairs {
  std::vector<std::vector<std::int32_t>> source, target;

  std::size_t size() const { return source.size(); }
};

/// One side of a corpus: the tokens of all its sentences, with marks, one sentence after the other.
template <class Space>
struct BasicSentences {
  View<const std::int32_t, 1, Space> ids;    ///< (tokens)
  View<const std::int32_t, 1, Space> begin;  ///< (sentences + 1): sentence i is ids[begin[i]] .. ids[begin[i + 1]]
};
using HostSentences = BasicSentences<Host>;

/// The pairs of a corpus in either form. It owns nothing: the pairs must outlive it.
class PairsView {
 public:
  PairsView(const IdPairs& pairs) : pairs_(&pairs) {}
  /// A source is w1 ... <eos>, a target <bos> w1 ... <eos>, as `concatenate` makes them.
  PairsView(const HostSentences& source, const HostSentences& target) : source_(source), target_(target) {}

  std::size_t size() const { return pairs_ != nullptr ? pairs_->size() : source_.begin.extent[0] - 1; }

  /// The number of tokens of a side, end mark included.
  std::size_t source_tokens(std::size_t i) const {
    return pairs_ != nullptr ? pairs_->source[i].size() + 1 : length(source_, i);
  }
  std::size_t target_tokens(std::size_t i) const {
    return pairs_ != nullptr ? pairs_->target[i].size() + 1 : length(target_, i) - 1;
  }

  const IdPairs* vectors() const { return pairs_; }  ///< null: the pairs are rows
  const HostSentences& source_rows() const { return source_; }
  const HostSentences& target_rows() const { return target_; }

 private:
  static std::size_t length(const HostSentences& side, std::size_t i) {
    return static_cast<std::size_t>(side.begin[i + 1] - side.begin[i]);
  }

  const IdPairs* pairs_ = nullptr;
  HostSentences source_, target_;
};

}  // namespace gradus
