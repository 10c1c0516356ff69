#pragma once
/// \file
/// Files in zip archives. minizip, of zlib's own authors, reads them.

#include <cstdint>
#include <functional>
#include <string>

namespace gradus {

/// Returns the bytes of the file `name` in the zip archive at `path`. Throws Error, one line with both names, if the archive
/// cannot be read, has no such file or one of more than `most` bytes, or if the bytes do not have their checksum (CRC-32).
std::string file_in_archive(const std::string& path, const std::string& name, std::uint64_t most);

/// Calls `take` with the name and the bytes of each file in the archive, in the archive's order. Throws Error as file_in_archive does; all
/// files together may have `most` bytes. Memory grows with the bytes that are there, not with those that the archive claims.
void each_file_in_archive(const std::string& path, std::uint64_t most,
                          const std::function<void(const std::string& name, std::string bytes)>& take);

}  // namespace gradus
