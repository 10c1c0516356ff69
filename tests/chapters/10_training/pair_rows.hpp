#pragma once
/// \file
/// The same pairs in the other form: rows with their marks, as a file of ids has them.

#include "10_training/data/batches.hpp"

namespace gradus::test {

struct PairRows {
  explicit PairRows(const IdPairs& pairs, const SentenceMarks& marks = {})
      : source(concatenate(pairs.source, {}, marks.source_eos)),
        target(concatenate(pairs.target, {marks.bos}, marks.target_eos)) {}

  PairsView view() const { return {rows(source), rows(target)}; }

 private:
  static HostSentences rows(const ConcatenatedSentences& side) {
    return {{side.ids.data(), {side.ids.size()}, side.ids.size()},
            {side.begin.data(), {side.begin.size()}, side.begin.size()}};
  }
  ConcatenatedSentences source, target;
};

}  // namespace gradus::test
