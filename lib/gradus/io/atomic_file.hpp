#pragma once
/// \file
/// Whole files: read in one call, digested, replaced in one step.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Reads all bytes of a file; pipes and /dev/stdin too. Throws Error, with the path and the system's reason.
std::string read_file(const std::string& path);

/// The SHA-256 digest of the bytes of a file, as 64 hexadecimal digits. It reads a small piece at a time. Throws Error as
/// read_file does.
std::string sha256_of_file(const std::string& path);

/// The size of a regular file, in bytes. Throws Error, with the path and the reason, for a folder, a device or a
/// pipe, and opens none of them: a device or a pipe has no known end.
std::uint64_t regular_file_size(const std::string& path);

/// Reads a regular file of at most `most` bytes. Checks the size before it reads; throws Error for a larger file.
std::string read_regular_file(const std::string& path, std::uint64_t most);

/// Makes `path` hold exactly `bytes`.
///
/// ensures   Any program that opens `path`, at any moment and after any crash, finds the old file or the new one,
///           never a part of one: the bytes go to a temporary file in the same folder, reach the disk, and get the
///           name in one step; then the folder is brought to the disk too. If something fails, throws Error with
///           the path and the system's reason, removes the temporary file and keeps the old file. Only a killed
///           process leaves its temporary file, PATH.tmp-...; remove_leftovers removes it. The new file keeps the
///           old one's permissions. If `path` is a symbolic link, the file behind the link is replaced or made; a
///           link into a folder that does not exist is an Error. Bytes for a device or a pipe are written directly,
///           because no old content can be lost there. The same holds for a file that is this process's standard
///           output, because the shell keeps writing to it.
void write_atomically(const std::string& path, std::string_view bytes);

/// What a write does if `path` is a symbolic link, a device or a pipe.
enum class Links {
  follow,  ///< as above: the user named this path
  refuse   ///< throws Error: the program chose the name, in a folder that may come from strangers (own_file.hpp)
};

/// The same with bytes that lie in several places: `path` then holds the parts, one behind the other.
void write_parts_atomically(const std::string& path, const std::vector<std::string_view>& parts,
                            Links links = Links::follow);

/// Renames the file `from` to `to`, in the same folder and in one step, after its bytes are on the disk; then
/// brings the folder to the disk. Throws Error, with the path and the system's reason.
void rename_atomically(const std::string& from, const std::string& to);

/// Removes the temporary files that killed processes left in `folder`. No other process may be writing there.
void remove_leftovers(const std::string& folder);

/// Removes the temporary files of the file `path`, PATH.tmp-..., if nobody has written to them for an hour. For a file that
/// other processes may be writing, too.
void remove_old_leftovers(const std::string& path);

}  // namespace gradus
