#pragma once
/// \file
/// A file as memory: the system reads a page when it is first used, and may forget it again.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// The bytes of a regular file, until the end of the scope. They stay the same if the file is replaced
/// (write_atomically) or removed meanwhile. No program may shorten the file itself: reading beyond its end kills the
/// process.
class MappedFile {
 public:
  /// Throws Error, with the path and the reason, if it is no regular file or cannot be read.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }

  /// Gives back the memory of the pages that were read. They are read again when they are needed.
  void forget() const;

 private:
  const char* data_ = nullptr;  // of an empty file: none
  std::size_t size_ = 0;
};

}  // namespace gradus
