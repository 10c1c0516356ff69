#pragma once
/// \file
/// Makes, checks and locks the folders for output files, and follows symbolic links.

#include <string>

#include "gradus/io/descriptor.hpp"

namespace gradus {

/// Whether there is something at `path`, behind its links. Throws SystemError if the system does not tell: the answer "no"
/// would be wrong for what may not be seen.
bool is_there(const std::string& path);

/// Whether that is a folder, by the same rules.
bool is_folder(const std::string& path);

/// Makes the folder and its parents, unless it exists. A symbolic link to a folder counts as that folder. A link
/// whose target does not exist is an Error and stays: the user decides whether to make the target. Throws Error,
/// with the path and the reason, if the folder cannot be made.
void make_folder(const std::string& path);

/// The same check, but makes nothing: throws Error if the path is taken by something that is no folder, or is a
/// link whose target does not exist.
void check_folder(const std::string& path);

/// The same, and throws Error if this process may not make the folder or write in it: before long work, not after it.
void check_writable_folder(const std::string& path);

/// Returns the file that a write to `path` makes or replaces: the target of the symbolic links, which need not
/// exist. Throws Error for a link into a folder that does not exist, and for links that form a circle.
std::string file_behind(const std::string& path);

/// Throws Error if the folder of the file `path` does not exist, so that the user learns it before the work and not
/// after it. An empty `path` is accepted.
void check_place(const std::string& path);

/// Locks a folder for this process until the end of the scope. The system releases the lock when the process ends,
/// even if it is killed.
class FolderLock {
 public:
  /// Makes the folder if it does not exist. Throws Error if another process works in it. Removes temporary files
  /// that a killed process left there. If the system has no locks (some network file systems), there is no lock and
  /// nothing is removed.
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor folder_;
};

}  // namespace gradus
