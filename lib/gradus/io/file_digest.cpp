#include "gradus/io/file_digest.hpp"

#include "gradus/io/descriptor.hpp"
#include "gradus/util/digest.hpp"

namespace gradus {

std::string sha256_of_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file) fail_system("read", path);
  std::string piece(std::size_t{1} << 20, '\0');
  Sha256 sum;
  for (;;) {
    const ssize_t got = uninterrupted([&] { return ::read(file.get(), piece.data(), piece.size()); });
    if (got < 0) fail_system("read", path);
    if (got == 0) return sum.digest();
    sum.add({piece.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace gradus
