#pragma once
/// \file
/// A tree of strings that finds those which stand at the start of a text.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gradus {

/// Strings with an id each. A node stands for a beginning of strings, and has a child for each byte that may follow.
class PrefixTree {
 public:
  /// Adds `text`, which is not empty, with an id that is not negative.
  void add(std::string_view text, int id) {
    std::uint32_t node = 0;
    for (const char c : text) {
      const auto next = static_cast<std::uint32_t>(ids_.size());
      const auto found = children_.emplace(key(node, c), next);
      if (found.second) ids_.push_back(-1);
      node = found.first->second;
    }
    ids_[node] = id;
  }

  /// Calls found(length in bytes, id) for each string at the start of `text`, the shortest first.
  template <class Found>
  void at_start(std::string_view text, const Found& found) const {
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto child = children_.find(key(node, text[i]));
      if (child == children_.end()) return;
      node = child->second;
      if (ids_[node] >= 0) found(i + 1, ids_[node]);
    }
  }

  /// The number of bytes of the longest string at the start of `text`; 0 if there is none.
  std::size_t longest(std::string_view text) const {
    std::size_t most = 0;
    at_start(text, [&](std::size_t length, int) { most = length; });
    return most;
  }

 private:
  static std::uint64_t key(std::uint32_t node, char c) {
    return std::uint64_t{node} << 8U | static_cast<unsigned char>(c);
  }

  std::unordered_map<std::uint64_t, std::uint32_t> children_;
  std::vector<int> ids_ = std::vector<int>(1, -1);
};

}  // namespace gradus
