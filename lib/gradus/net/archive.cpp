#include "gradus/net/archive.hpp"

#include <minizip/unzip.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>

#include "gradus/util/error.hpp"

namespace gradus {

std::string file_in_archive(const std::string& path, const std::string& name, std::uint64_t most) {
  const std::unique_ptr<void, int (*)(unzFile)> archive(unzOpen64(path.c_str()), unzClose);
  if (!archive) fail(path + " is no zip archive, or it is damaged");
  constexpr int same_case = 1;
  unz_file_info64 info{};
  if (unzLocateFile(archive.get(), name.c_str(), same_case) != UNZ_OK ||
      unzGetCurrentFileInfo64(archive.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
    fail(path + " has no file " + name);
  if (info.uncompressed_size > most) fail(path + ": " + name + " has more than " + std::to_string(most) + " bytes");
  const std::string damaged = path + ": " + name + " is damaged";
  if (unzOpenCurrentFile(archive.get()) != UNZ_OK) fail(damaged);
  std::string bytes(info.uncompressed_size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = std::min<std::size_t>(bytes.size() - done, std::numeric_limits<int>::max());
    const int read = unzReadCurrentFile(archive.get(), bytes.data() + done, static_cast<unsigned>(count));
    if (read <= 0) fail(damaged);
    done += static_cast<std::size_t>(read);
  }
  if (unzCloseCurrentFile(archive.get()) != UNZ_OK) fail(damaged);  // the checksum is wrong
  return bytes;
}

}  // namespace gradus
