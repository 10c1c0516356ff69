#pragma once
/// \file
/// The files in a folder that belong to a run. All other files are left alone.

#include <string>
#include <vector>

namespace gradus {

/// The names of the run's files in `folder`, sorted; none if the folder does not exist.
std::vector<std::string> run_files(const std::string& folder);

/// Throws Error if one of them is a symbolic link, a pipe or a folder: the run writes its own files only (gradus/io/own_file.hpp),
/// and the user learns it before the training and not during it.
void check_run_files(const std::string& folder);

/// Throws UsageError if `path`, which the user gave as `option`, is a file that a run in `folder` keeps for itself. An empty path is
/// accepted.
void check_no_run_file(const std::string& option, const std::string& path, const std::string& folder);

/// Removes those files, the checkpoints last. With `but_checkpoint` checkpoint.safetensors stays: it is another run's already.
void remove_run(const std::string& folder, bool but_checkpoint = false);

}  // namespace gradus
