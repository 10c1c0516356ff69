#pragma once
/// \file
/// The files that the program keeps in a folder: of a run, a model, data. The folder may come from strangers, and a symbolic
/// link in it could lead a write to any file of the user; a pipe would make a write wait for ever. So every such file is
/// written by these functions. Reading through a link is allowed.

#include <string>
#include <string_view>

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

/// Links::refuse if the file `path`, which the user named, lies in `folder`, which the program keeps; else Links::follow.
Links links_at(const std::string& path, const std::string& folder);

}  // namespace gradus
