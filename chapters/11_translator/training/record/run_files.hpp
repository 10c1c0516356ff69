#pragma once
/// \file
/// The files in a folder that belong to a run. All other files are left alone.

#include <string>
#include <vector>

namespace gradus {

/// The names of the run's files in `folder`, sorted; none if the folder does not exist.
std::vector<std::string> run_files(const std::string& folder);

/// Removes those files, the checkpoints last.
void remove_run(const std::string& folder);

}  // namespace gradus
