#pragma once
/// \file
/// How much memory this process has needed so far, and that it stays at that.

#include <cstddef>

namespace gradus {

/// The largest part of this process that ever was in memory at once, in bytes; 0 where the system does not tell.
std::size_t peak_memory();

/// From now on large blocks go back to the system when they are freed. By default glibc soon keeps them, as holes that
/// the next, slightly larger block does not fit into, so that the memory of a long training creeps up. To be called
/// at its beginning.
void return_large_blocks();

}  // namespace gradus
