#pragma once
/// \file
/// What the system tells of this process and of the machine that it runs on.

#include <cstddef>
#include <limits>
#include <string>

namespace gradus {

/// The path of the program that is running, whatever it was called by; "" where the system does not tell.
std::string program_path();

/// The most memory that this process can get, in bytes: that of the machine and its swap space, or what a control
/// group or a limit of the shell (ulimit -v, -d) allows, if that is less. 0 where the system does not tell. Files of the
/// system are looked for below `root`.
std::size_t memory_limit(const std::string& root = "");

/// The limit on this process's addresses (ulimit -v or -d), in bytes; the largest number there is without one.
std::size_t address_limit();
inline bool has_address_limit() { return address_limit() != std::numeric_limits<std::size_t>::max(); }

/// Throws Error, with both numbers, if there is a limit on memory below `bytes`; 0 is none. The message begins with
/// `what`, the path of a file or what is to be done, and ends with `advice`.
void require_memory(double bytes, const std::string& what, const std::string& advice = "",
                    std::size_t limit = memory_limit());

}  // namespace gradus
