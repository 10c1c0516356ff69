#pragma once
/// \file
/// The slots of a step when each rank has only some of them: the sum of their gradients, and all that ranks exchange
/// in a step.

#include <map>
#include <vector>

#include "10_training/step/shares.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ranks/tensor_exchange.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

/// The additions are those of the tree in shares.hpp; sums overwrite the slots' gradients. `dev`, in each call, is the
/// device of any slot. Threads share it in additions: it only selects the overload of `add`, which uses nothing that
/// the device holds.
template <class Dev>
class AllSlots {
 public:
  using Real = typename Dev::Real;
  using Flat = View<Real, 1, typename Dev::Space>;

  AllSlots(Ranks& ranks, std::size_t slots, std::size_t parameters)
      : ranks_(ranks),
        slots_(slots),
        parameters_(parameters),
        own_(slots_of_rank(ranks.rank())),
        range_(range_of_rank(ranks.rank())),
        own_additions_(own_additions(own_, slots)),
        joining_additions_(joining_additions(ranks.size(), slots)) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (r == ranks.rank()) continue;
      for (const std::size_t node : open_nodes(slots_of_rank(r), slots))
        arrived_[node] = memory_.vector(range_.size());
    }
  }

  const Interval& own_slots() const { return own_; }    ///< those that this rank computes
  const Interval& own_range() const { return range_; }  ///< the parameters that it updates

  /// The parameters that slot i updates.
  Interval range(std::size_t i) const { return range_of(i, slots_, parameters_); }

  /// The gradient (parameters) of this rank's next slot, for as long as this lives.
  void add_slot(Flat gradient) { gradients_.push_back(gradient); }

  /// Adds up the gradients of all slots: each rank those of its own, then, on the range that it updates, the sums of all
  /// ranks.
  void sum_gradients(Dev& dev, Workers& workers) {
    each_on<Dev>(workers, slots_, [&](std::size_t i) { add_all(dev, own_additions_, range(i)); });
    exchange_sums(dev);
    each_on<Dev>(workers, own_.size(),
                 [&](std::size_t i) { add_all(dev, joining_additions_, range(own_.begin + i)); });
  }

  /// The whole sum, on a part of own_range().
  Flat sum(const Interval& range) const { return of(0, range); }

  /// Each rank has computed the squared norms of its slots' ranges; afterwards each has all of them.
  void share_norms(Dev& dev, Flat norms) {
    share(dev, norms, [&](std::size_t r) { return slots_of_rank(r); });
  }

  /// Each rank has updated its range; afterwards each has all weights.
  void share_weights(Dev& dev, Flat weights) {
    share(dev, weights, [&](std::size_t r) { return range_of_rank(r); });
  }

  /// Each rank has read the logs of its slots, all of one size; afterwards each has all of them.
  void share_logs(std::vector<std::vector<Real>>& logs) {
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (r == ranks_.rank()) continue;
      for (std::size_t i = 0; i < slots_; ++i) {
        const std::size_t bytes = logs[i].size() * sizeof(Real);
        if (own_.has(i)) out.push_back({r, logs[i].data(), bytes});
        if (slots_of_rank(r).has(i)) in.push_back({r, logs[i].data(), bytes});
      }
    }
    ranks_.exchange(out, in);
  }

  /// Runs `f`, which makes such calls, as a step of its own. A GPU records it, unless tensors pass through host memory.
  template <class F>
  void run_step(Dev& dev, const F& f) const {
    if (ranks_.size() != 1 && !ranks_.has_gpu_link()) return f();
    dev.run_step({}, f);  // no batch has these sizes
  }

 private:
  Interval slots_of_rank(std::size_t r) const { return slots_of(r, ranks_.size(), slots_); }
  Interval range_of_rank(std::size_t r) const { return ranges_of(slots_of_rank(r), slots_, parameters_); }

  /// What stands in a slot: on any range if the slot is this rank's, else on a part of own_range().
  Flat of(std::size_t slot, const Interval& range) const {
    if (own_.has(slot)) return slice(gradients_[slot - own_.begin], range.begin, range.size());
    return slice(arrived_.at(slot), range.begin - range_.begin, range.size());
  }

  void add_all(Dev& dev, const std::vector<Addition>& additions, const Interval& range) const {
    const std::size_t n = range.size();
    for (const Addition& a : additions)
      add(dev, as_matrix(of(a.to, range), 1, n), In<Dev, 2>(as_matrix(of(a.from, range), 1, n)));
  }

  /// Sends the open nodes to the ranks that update them, and receives those of the range that this rank updates.
  void exchange_sums(Dev& dev) {
    TensorExchange<Dev> exchange(ranks_, dev);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (r == ranks_.rank()) continue;
      for (const std::size_t node : open_nodes(own_, slots_)) exchange.send(r, of(node, range_of_rank(r)));
      for (const std::size_t node : open_nodes(slots_of_rank(r), slots_)) exchange.receive(r, arrived_.at(node));
    }
    exchange.run();
  }

  /// Each rank has computed the part of `whole` that `part_of` gives for it; afterwards each has all of it.
  template <class Part>
  void share(Dev& dev, Flat whole, const Part& part_of) {
    const auto of_rank = [&](std::size_t r) { return slice(whole, part_of(r).begin, part_of(r).size()); };
    TensorExchange<Dev> exchange(ranks_, dev);
    exchange.to_all(of_rank(ranks_.rank()), of_rank);
    exchange.run();
  }

  Ranks& ranks_;
  std::size_t slots_, parameters_;
  Interval own_, range_;  // this rank's slots, and the parameters that it updates
  std::vector<Addition> own_additions_, joining_additions_;
  std::vector<Flat> gradients_;  // of this rank's slots
  Workspace<Real, typename Dev::Space> memory_;
  std::map<std::size_t, Flat> arrived_;  // open nodes of other ranks, on range_
};

}  // namespace gradus
