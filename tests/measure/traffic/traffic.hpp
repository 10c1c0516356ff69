#pragma once
/// \file
/// Counts the launches of some work on the host layer, and the memory that each moves. The kernels are compiled with
/// a call at each load and store, the one of the race detector, so every address is known.

#include <cstddef>
#include <string>

namespace gradus::test {

/// Launches, and the bytes that they read and wrote. A launch reads and writes a sector of 32 bytes at most once: this
/// is the traffic with a cache that holds everything during a launch and nothing between two launches. Of requests: their
/// number, the sectors that they move, and the bytes in these that a lane wanted. They are counted in the first block of each
/// launch, which stands for all its blocks. `early` are the kernels among the launches that may start early.
struct Moved {
  std::size_t launches = 0, early = 0, read = 0, written = 0;
  std::size_t requests = 0, sectors = 0, wanted = 0;
};

/// Counts from zero, from now on.
void start_traffic();

/// Stops; the sums of all launches.
Moved stop_traffic();

/// What was counted as JSON, an entry for each kernel: its address in the program, or the name of other work; its
/// launches, and the early ones among them; the bytes that it read and wrote; its requests.
void write_traffic(const std::string& path);

}  // namespace gradus::test
