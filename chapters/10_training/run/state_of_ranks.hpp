#pragma once
/// \file
/// The state of a run on its way between rank 0, which has it as a whole in host memory, and the devices of all ranks.

#include <vector>

#include "10_training/run/checkpoint.hpp"
#include "10_training/step/shares.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Rank r gets the elements `part_of(r)` of rank 0's vector, in its tensor `own`.
template <class Dev, class Part>
void scatter(Ranks& ranks, Dev& dev, Out<Dev, 1> own, std::vector<typename Dev::Real> whole, const Part& part_of) {
  const auto bytes = [&](std::size_t r) { return part_of(r).size() * sizeof(typename Dev::Real); };
  if (is_first(ranks)) {
    std::vector<Outgoing> out;
    for (std::size_t r = 1; r < ranks.size(); ++r) out.push_back({r, whole.data() + part_of(r).begin, bytes(r)});
    ranks.exchange(out, {});
  } else {
    whole.resize(own.extent[0]);
    ranks.exchange({}, {{0, whole.data(), bytes(ranks.rank())}});
  }
  whole.resize(own.extent[0]);  // rank 0 keeps the beginning: its own part
  write(dev, own, whole);
}

/// Every rank gets the whole of rank 0's vector.
template <class Dev>
void broadcast_weights(Ranks& ranks, Dev& dev, Out<Dev, 1> own, const std::vector<typename Dev::Real>& whole) {
  scatter(ranks, dev, own, whole, [&](std::size_t) { return Interval{0, own.extent[0]}; });
}

/// The state of a run when each rank has the moments of its own range only. Rank 0 reads and writes the files.
template <class Dev>
class StateOfRanks {
 public:
  using Real = typename Dev::Real;

  StateOfRanks(Ranks& ranks, Dev& dev, std::size_t slots, std::size_t parameters)
      : ranks_(ranks), dev_(dev), slots_(slots), parameters_(parameters) {}

  /// The small parts of rank 0's snapshot: everything but weights and moments.
  void share(Snapshot<Real>& s) const {
    s.state = training_state(broadcast(ranks_, to_text(s.state)), "rank 0");
    for (std::string* const text : {&s.metadata, &s.skipped_checkpoints, &s.recipe})
      *text = broadcast(ranks_, *text);
  }

  /// Every rank gets the range that it updates.
  void scatter_ranges(Out<Dev, 1> own, const std::vector<Real>& whole) const {
    scatter(ranks_, dev_, own, whole, [&](std::size_t r) { return range(r); });
  }

  /// Rank 0 gets the ranges of all ranks; the result of other ranks is their own.
  std::vector<Real> gather_ranges(In<Dev, 1> own) const {
    std::vector<Real> values;
    read(dev_, values, own);
    if (!is_first(ranks_)) {
      ranks_.exchange({{0, values.data(), values.size() * sizeof(Real)}}, {});
      return values;
    }
    values.resize(parameters_);
    std::vector<Incoming> in;
    for (std::size_t r = 1; r < ranks_.size(); ++r)
      in.push_back({r, values.data() + range(r).begin, range(r).size() * sizeof(Real)});
    ranks_.exchange({}, in);
    return values;
  }

 private:
  Interval range(std::size_t r) const { return ranges_of(slots_of(r, ranks_.size(), slots_), slots_, parameters_); }

  Ranks& ranks_;
  Dev& dev_;
  std::size_t slots_, parameters_;
};

}  // namespace gradus
