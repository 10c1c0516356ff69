#pragma once
/// \file
/// The sum of all slots' gradients, when each rank has only some of the slots.

#include <map>
#include <vector>

#include "10_training/shares.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ranks/tensor_exchange.hpp"

namespace gradus {

/// The additions of the tree in shares.hpp, carried out. `own`, in each call, gives the gradient (parameters) of one of
/// this rank's slots; sums overwrite it.
template <class Dev>
class SumOfSlots {
 public:
  using Flat = View<typename Dev::Real, 1, typename Dev::Space>;

  SumOfSlots(Ranks& ranks, std::size_t slots, std::size_t parameters)
      : ranks_(ranks),
        slots_(slots),
        parameters_(parameters),
        run_(run_of(ranks.rank())),
        range_(range_of_rank(ranks.rank())),
        own_additions_(own_additions(run_, slots)),
        joining_additions_(joining_additions(ranks.size(), slots)) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (r == ranks.rank()) continue;
      for (const std::size_t node : open_nodes(run_of(r), slots)) arrived_[node] = memory_.vector(range_.size());
    }
  }

  /// The parameters that rank r updates.
  Interval range_of_rank(std::size_t r) const { return ranges_of(run_of(r), slots_, parameters_); }

  /// Adds up this rank's slots, on a range of any rank.
  template <class Own>
  void add_own(Dev& dev, const Interval& range, const Own& own) const {
    const auto of = [&](std::size_t slot) { return slice(own(slot), range.begin, range.size()); };
    for (const Addition& a : own_additions_) add_to(dev, of(a.to), of(a.from));
  }

  /// Sends the open nodes to the ranks that update them, and receives those of the range that this rank updates.
  template <class Own>
  void exchange(Dev& dev, const Own& own) {
    TensorExchange<Dev> exchange(ranks_, dev);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (r == ranks_.rank()) continue;
      const Interval theirs = range_of_rank(r);
      for (const std::size_t node : open_nodes(run_, slots_))
        exchange.send(r, slice(own(node), theirs.begin, theirs.size()));
      for (const std::size_t node : open_nodes(run_of(r), slots_)) exchange.receive(r, arrived_.at(node));
    }
    exchange.run();
  }

  /// Adds the open nodes of all ranks, on a part of the range that this rank updates.
  template <class Own>
  void join(Dev& dev, const Interval& range, const Own& own) const {
    for (const Addition& a : joining_additions_) add_to(dev, of(a.to, range, own), of(a.from, range, own));
  }

  /// What stands in a slot, on a part of the range that this rank updates. In slot 0 it is at last the whole sum.
  template <class Own>
  Flat of(std::size_t slot, const Interval& range, const Own& own) const {
    if (run_.has(slot)) return slice(own(slot), range.begin, range.size());
    return slice(arrived_.at(slot), range.begin - range_.begin, range.size());
  }

 private:
  Interval run_of(std::size_t r) const { return slots_of(r, ranks_.size(), slots_); }

  static void add_to(Dev& dev, Flat sum, Flat x) {
    const std::size_t n = sum.extent[0];
    add(dev, as_matrix(sum, 1, n), In<Dev, 2>(as_matrix(x, 1, n)));
  }

  Ranks& ranks_;
  std::size_t slots_, parameters_;
  Interval run_, range_;  // this rank's slots, and the parameters that it updates
  std::vector<Addition> own_additions_, joining_additions_;
  Workspace<typename Dev::Real, typename Dev::Space> memory_;
  std::map<std::size_t, Flat> arrived_;  // open nodes of other ranks, on range_
};

}  // namespace gradus
