#pragma once
/// \file
/// The grids that CUDA launches, on every GPU that it supports.

#include <cstddef>
#include <string>

namespace gradus::gpu {

inline constexpr unsigned most_blocks_x = 0x7FFFFFFF, most_blocks_yz = 65535;
inline constexpr unsigned most_threads = 1024, most_threads_z = 64;  ///< of a block

/// "" for a grid that CUDA launches, else one line that shows it and the limits. `Size` is dim3.
template <class Size>
std::string refused_grid(const Size& blocks, const Size& threads) {
  const auto within = [](unsigned n, unsigned most) { return n >= 1 && n <= most; };
  const bool has_blocks =
      within(blocks.x, most_blocks_x) && within(blocks.y, most_blocks_yz) && within(blocks.z, most_blocks_yz);
  const bool has_threads = within(threads.x, most_threads) && within(threads.y, most_threads) &&
                           within(threads.z, most_threads_z) && threads.x * threads.y * threads.z <= most_threads;
  if (has_blocks && has_threads) return "";
  const auto text = [](const Size& s) {
    return "(" + std::to_string(s.x) + ", " + std::to_string(s.y) + ", " + std::to_string(s.z) + ")";
  };
  return "no GPU launches a grid of " + text(blocks) + " blocks of " + text(threads) + " threads: it has 1 to " +
         std::to_string(most_blocks_x) + " blocks in x, to " + std::to_string(most_blocks_yz) +
         " in y and in z, and a block 1 to " + std::to_string(most_threads) + " threads, with at most " +
         std::to_string(most_threads_z) + " in z";
}

}  // namespace gradus::gpu
