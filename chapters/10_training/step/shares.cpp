#include "10_training/step/shares.hpp"

#include <algorithm>
#include <string>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// An addition of the tree, and the slots of the node whose sum it makes.
struct Node {
  Addition addition;
  Interval slots;
};

/// All additions, from the leaves to the root.
std::vector<Node> tree(std::size_t slots) {
  std::vector<Node> nodes;
  for (std::size_t half = 1; half < slots; half *= 2) {
    for (std::size_t first = 0; first + half < slots; first += 2 * half)
      nodes.push_back({{first, first + half}, {first, std::min(first + 2 * half, slots)}});
  }
  return nodes;
}

bool is_inside(const Interval& part, const Interval& whole) {
  return whole.begin <= part.begin && part.end <= whole.end;
}

}  // namespace

Interval slots_of(std::size_t rank, std::size_t ranks, std::size_t slots) {
  if (ranks > slots)
    throw UsageError(std::to_string(ranks) + " ranks cannot share the " + std::to_string(slots) +
                     " micro-batches of a step; start at most " + std::to_string(slots));
  return piece_of(rank, ranks, slots);
}

Interval range_of(std::size_t slot, std::size_t slots, std::size_t size) {
  const std::size_t share = (size / slots + 16) / 16 * 16, begin = std::min(size, slot * share);
  return {begin, std::min(size, begin + share)};
}

Interval ranges_of(const Interval& run, std::size_t slots, std::size_t size) {
  return {range_of(run.begin, slots, size).begin, range_of(run.end - 1, slots, size).end};
}

std::vector<Addition> own_additions(const Interval& run, std::size_t slots) {
  std::vector<Addition> own;
  for (const Node& node : tree(slots)) {
    if (is_inside(node.slots, run)) own.push_back(node.addition);
  }
  return own;
}

std::vector<std::size_t> open_nodes(const Interval& run, std::size_t slots) {
  std::vector<std::size_t> open;
  for (std::size_t slot = run.begin; slot < run.end; ++slot) open.push_back(slot);
  for (const Addition& a : own_additions(run, slots)) open.erase(std::find(open.begin(), open.end(), a.from));
  return open;
}

std::vector<Addition> joining_additions(std::size_t ranks, std::size_t slots) {
  std::vector<Addition> joining;
  for (const Node& node : tree(slots)) {
    bool is_own = false;
    for (std::size_t r = 0; r < ranks; ++r) is_own = is_own || is_inside(node.slots, slots_of(r, ranks, slots));
    if (!is_own) joining.push_back(node.addition);
  }
  return joining;
}

}  // namespace gradus
