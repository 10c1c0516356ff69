#pragma once
/// \file
/// The state of a run, when each rank has only a part of it. Rank 0 reads and writes the files.

#include <vector>

#include "10_training/checkpoint.hpp"
#include "10_training/shares.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Moves vectors of one value for each parameter between rank 0, which has them as a whole in host memory, and the
/// devices of all ranks.
template <class Dev>
class StateOfRanks {
 public:
  using Real = typename Dev::Real;
  using Flat = View<Real, 1, typename Dev::Space>;

  StateOfRanks(Ranks& ranks, Dev& dev, std::size_t slots, std::size_t parameters)
      : ranks_(ranks), dev_(dev), slots_(slots), parameters_(parameters) {}

  /// The small parts of rank 0's snapshot: everything but weights and moments.
  void share(Snapshot<Real>& s) const {
    s.state = training_state(shared(ranks_, to_text(s.state)), "rank 0");
    for (std::string* const text : {&s.metadata, &s.skipped_checkpoints, &s.recipe}) *text = shared(ranks_, *text);
  }

  /// Every rank gets the whole of rank 0's vector.
  void give(Flat everywhere, std::vector<Real> whole) const {
    const Interval all{0, parameters_};
    give_parts(everywhere, std::move(whole), [&](std::size_t) { return all; });
  }

  /// Every rank gets the range that it updates.
  void give_ranges(Flat own, std::vector<Real> whole) const {
    give_parts(own, std::move(whole), [&](std::size_t r) { return range(r); });
  }

  /// Rank 0 gets the ranges of all ranks; the result of other ranks means nothing.
  std::vector<Real> take_ranges(Flat own) const {
    std::vector<Real> mine;
    read(dev_, mine, In<Dev, 1>(own));
    if (!is_first(ranks_)) return ranks_.exchange({{0, mine.data(), bytes(range(ranks_.rank()))}}, {}), mine;
    mine.resize(parameters_);
    std::vector<Incoming> in;
    for (std::size_t r = 1; r < ranks_.size(); ++r) in.push_back({r, mine.data() + range(r).begin, bytes(range(r))});
    ranks_.exchange({}, in);
    return mine;
  }

 private:
  Interval range(std::size_t r) const {
    return ranges_of(slots_of(r, ranks_.size(), slots_), slots_, parameters_);
  }
  static std::size_t bytes(const Interval& part) { return part.size() * sizeof(Real); }

  template <class Part>
  void give_parts(Flat own, std::vector<Real> whole, const Part& part_of) const {
    if (is_first(ranks_)) {
      std::vector<Outgoing> out;
      for (std::size_t r = 1; r < ranks_.size(); ++r)
        out.push_back({r, whole.data() + part_of(r).begin, bytes(part_of(r))});
      ranks_.exchange(out, {});
    } else {
      whole.resize(own.extent[0]);
      ranks_.exchange({}, {{0, whole.data(), bytes(part_of(ranks_.rank()))}});
    }
    whole.resize(own.extent[0]);  // rank 0 keeps the beginning: its own range
    write(dev_, own, whole);
  }

  Ranks& ranks_;
  Dev& dev_;
  std::size_t slots_, parameters_;
};

}  // namespace gradus
