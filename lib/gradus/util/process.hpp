#pragma once
/// \file
/// What the system reports about this process and this machine.

#include <cstddef>
#include <limits>
#include <string>

namespace gradus {

/// The value of a variable of the environment; "" if there is none.
std::string environment(const char* name);

/// The path of the running program, however it was called; "" if the system does not report it.
std::string program_path();

/// The path of the library, or of the program, that holds the function at this address; "" if the system does not report it.
std::string file_of_function(const void* address);

/// The name that the processor reports, such as "AMD EPYC 7763 64-Core Processor"; if it reports none, its
/// architecture.
std::string processor_name();

/// The processors that this process may use, at least 1: those of the machine, or those that a launcher or `taskset`
/// gave it.
std::size_t usable_processors();

/// The processors whose time this process may use, rounded up: the CPU quota of its control groups (cgroups, versions 1 and 2), as
/// containers and Slurm set it. The largest std::size_t if there is none. System files are read below `root`.
std::size_t processor_quota(const std::string& root = "");

/// The peak memory of this process, in bytes; 0 if the system does not report it.
std::size_t peak_memory();

/// From now on, large blocks of memory go back to the system when they are freed. By default glibc keeps freed blocks
/// for the next allocation. A slightly larger block does not fit there, so the memory of a long training would grow
/// slowly. Call it at the start of the program.
void return_large_blocks();

/// Asks the system to use large pages (megabytes) for the memory at `p`: then the first access to each page, which is
/// slow, happens less often. Call it before anything is written there.
void prefer_large_pages(void* p, std::size_t bytes);

/// The largest amount of memory that this process can get, in bytes: the machine's memory and swap space, or the
/// limit of a control group or of the shell (ulimit -v, -d) if that is smaller. 0 if the system does not report it.
/// System files are read below `root`.
std::size_t memory_limit(const std::string& root = "");

/// The limit on this process's addresses (ulimit -v or -d), in bytes; the largest std::size_t if there is none.
std::size_t address_limit();
inline bool has_address_limit() { return address_limit() != std::numeric_limits<std::size_t>::max(); }

/// Throws SystemError, with both numbers, if a memory limit is below `bytes`; a limit of 0 means no limit. The message
/// begins with `what`, the path of a file or the task, and ends with `advice`.
void require_memory(double bytes, const std::string& what, const std::string& advice = "",
                    std::size_t limit = memory_limit());

}  // namespace gradus
