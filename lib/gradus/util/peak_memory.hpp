#pragma once
/// \file
/// The peak memory of this process, and a setting that keeps it from growing.

#include <cstddef>

namespace gradus {

/// The peak memory of this process, in bytes; 0 if the system does not report it.
std::size_t peak_memory();

/// From now on, large blocks go back to the system when they are freed. By default glibc soon keeps them as holes;
/// the next, slightly larger block does not fit into the hole, so the memory of a long training grows slowly. Call
/// it at the start of the program.
void return_large_blocks();

}  // namespace gradus
