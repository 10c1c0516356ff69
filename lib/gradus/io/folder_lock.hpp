#pragma once
/// \file
/// Gives one process at a time the use of a folder.

#include <string>

namespace gradus {

/// Locks a folder for this process until the end of the scope. The system releases the lock when the process ends,
/// even if it is killed.
class FolderLock {
 public:
  /// Makes the folder if it does not exist. Throws Error if another process works in it. Removes temporary files
  /// that a killed process left there. If the system has no locks (some network file systems), there is no lock and
  /// nothing is removed.
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int fd_;
};

}  // namespace gradus
