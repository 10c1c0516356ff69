#pragma once
/// \file
/// Which files in a folder belong to a run. Whatever else stands there is somebody else's and is left alone.

#include <string>
#include <vector>

namespace gradus {

/// The names in `folder` that a run gives its files, sorted; none if there is no such folder.
std::vector<std::string> run_files(const std::string& folder);

/// Removes those files, the checkpoints last.
void remove_run(const std::string& folder);

}  // namespace gradus
