#pragma once
/// \file
/// How ranks share a step: which slots a rank computes, which range of the parameters it updates, and which additions
/// of the sum over all slots it does.

#include <cstddef>
#include <vector>

#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// The slots of a rank. Each rank has at least one. Throws UsageError if there are more ranks than slots.
Interval slots_of(std::size_t rank, std::size_t ranks, std::size_t slots);

/// The part of a flat vector of `size` elements that slot i sums and updates. It depends on the number of slots alone.
Interval range_of(std::size_t slot, std::size_t slots, std::size_t size);

/// The same for consecutive slots: their ranges together.
Interval ranges_of(const Interval& run, std::size_t slots, std::size_t size);

/// Slot `from` is added to slot `to`.
struct Addition {
  std::size_t to, from;
};

/// The sum over all slots is a binary tree: neighbours are added, then neighbours of these sums, and so on. A node over
/// 2^j slots begins at a multiple of 2^j. Its sum stands in its first slot, so the whole sum stands in slot 0.
///
/// `own_additions` are those whose slots a rank has; it does them before anything travels. `open_nodes` are the sums
/// that it then has, named by their first slots. `joining_additions` are all others, in the order of the tree: they add
/// the open nodes of all ranks. So what is added to what does not depend on the number of ranks.
std::vector<Addition> own_additions(const Interval& run, std::size_t slots);
std::vector<std::size_t> open_nodes(const Interval& run, std::size_t slots);
std::vector<Addition> joining_additions(std::size_t ranks, std::size_t slots);

}  // namespace gradus
