#pragma once
/// \file
/// What the system reports about this process and this machine.

#include <cstddef>
#include <limits>
#include <string>

namespace gradus {

/// The path of the running program, however it was called; "" if the system does not report it.
std::string program_path();

/// The largest amount of memory that this process can get, in bytes: the machine's memory and swap space, or the
/// limit of a control group or of the shell (ulimit -v, -d) if that is smaller. 0 if the system does not report it.
/// System files are read below `root`.
std::size_t memory_limit(const std::string& root = "");

/// The limit on this process's addresses (ulimit -v or -d), in bytes; the largest std::uint64_t if there is none.
std::size_t address_limit();
inline bool has_address_limit() { return address_limit() != std::numeric_limits<std::size_t>::max(); }

/// Throws Error, with both numbers, if a memory limit is below `bytes`; a limit of 0 means no limit. The message
/// begins with `what`, the path of a file or the task, and ends with `advice`.
void require_memory(double bytes, const std::string& what, const std::string& advice = "",
                    std::size_t limit = memory_limit());

}  // namespace gradus
