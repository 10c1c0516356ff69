#pragma once
/// \file
/// A folder for one process at a time.

#include <string>

namespace gradus {

/// Keeps a folder for this process until the end of the scope. The system takes the lock back from a process that
/// ends, however it ends.
class FolderLock {
 public:
  /// Makes the folder if need be. Throws Error if another process works in it. Removes what a killed one left there
  /// half-written. Where the system gives no locks, as on some networks, there is no lock and nothing is removed.
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int fd_;
};

}  // namespace gradus
