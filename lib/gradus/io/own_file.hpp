#pragma once
/// \file
/// The files that the program keeps in a folder: of a run, a model, data. The folder may come from strangers, and a symbolic
/// link in it could lead a write to any file of the user; a pipe would make a write wait for ever. So every such file is
/// written by these functions. Reading through a link is allowed.

#include <string>
#include <string_view>
#include <vector>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/descriptor.hpp"

namespace gradus {

/// Throws Error, with what to do, if there is something at `path` that is no ordinary file.
void check_own_file(const std::string& path);

/// write_atomically for such a file.
void write_own_file(const std::string& path, std::string_view bytes);

/// Opens such a file, to write at its end or, if not `at_end`, from its start, without its old content. Throws Error, also for
/// a file with several names (hard links).
Descriptor open_own_file(const std::string& path, bool at_end);

/// Throws Error if there is a file at `path`, which the user named, that does not begin as files of this kind do ("page", "table"): it
/// would be lost. An empty file, a device and a pipe are no loss.
void check_replaceable(const std::string& path, std::string_view beginning, const std::string& kind);

/// Throws Error if `path`, which the user named, passes through a symbolic link that lies below one of `folders`, which the program
/// keeps: it would lead the write out of that folder. The last name of `path` may be a link; for a folder, add a slash, then it may
/// not either. A folder that does not exist, or is "", has no links.
void check_links(const std::string& path, const std::vector<std::string>& folders);

/// Links::refuse if the file `path`, which the user named, lies in one of these folders or below it; else Links::follow. Throws Error
/// as check_links does.
Links links_at(const std::string& path, const std::vector<std::string>& folders);

/// check_place for a file that the user named, with the rules of links_at. Throws Error for a folder, too, and UsageError for a name that
/// ends with .gz.
void check_named_file(const std::string& path, const std::vector<std::string>& folders);

/// Throws UsageError if the file to write is also one of the files to read, which would be lost.
void check_not_read(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace gradus
