#pragma once
/// \file
/// Files, whole: read at once, replaced at once.

#include <cstdint>
#include <string>
#include <string_view>

namespace gradus {

/// The bytes of a file; pipes and /dev/stdin too. Throws Error, with the path and the system's reason.
std::string read_file(const std::string& path);

/// The size of a regular file, in bytes. Throws Error, with the path and a reason, for a folder, and for a device or a
/// pipe, of which nobody knows where it ends: none of them is opened.
std::uint64_t regular_file_size(const std::string& path);

/// The bytes of a regular file of at most `most` bytes. Its size is looked at before it is read; a larger one is an Error.
std::string read_regular_file(const std::string& path, std::uint64_t most);

/// Makes `path` hold exactly `bytes`.
///
/// ensures:  whoever opens `path`, at any moment and after any crash, finds the old file or the new one, never a
///           part: the bytes go to a temporary file beside it, reach the disk, and take the name in one step; then
///           the folder is brought to the disk as well. A failure throws Error, with the path and the system's
///           reason, removes the temporary file and leaves the old one. Only a process that is killed in between
///           leaves its temporary file, PATH.tmp-..., behind, for remove_leftovers to find. The new file keeps the
///           old one's permissions. Through a symbolic link it is the file behind the link that is replaced, or made
///           where the link leads to; a link into a folder that does not exist is an Error. A device
///           or a pipe holds nothing that could be lost, so the bytes are written straight into it; and so they are
///           into a file that is this process's standard output, which the shell goes on writing to.
void write_atomically(const std::string& path, std::string_view bytes);

/// Gives the file `from` the name `to`, of the same folder, in one step, once its bytes are on the disk, and brings the
/// folder there too. Throws Error, with the path and the system's reason.
void rename_atomically(const std::string& from, const std::string& to);

/// Removes the temporary files that killed processes left in `folder`, where nobody may be writing meanwhile.
void remove_leftovers(const std::string& folder);

}  // namespace gradus
