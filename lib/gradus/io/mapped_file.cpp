#include "gradus/io/mapped_file.hpp"

#include <sys/mman.h>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/descriptor.hpp"

namespace gradus {

MappedFile::MappedFile(const std::string& path) {
  const auto size = static_cast<std::size_t>(regular_file_size(path));
  const Descriptor file(path, O_RDONLY);
  if (!file) fail_system("read", path);
  if (size == 0) return;  // the system maps no empty file
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) fail_system("map into memory", path);
  data_ = static_cast<const char*>(memory);
  size_ = size;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

void MappedFile::forget() const {
  if (data_ != nullptr) ::madvise(const_cast<char*>(data_), size_, MADV_DONTNEED);  // no more than a wish
}

}  // namespace gradus
