#include "gradus/net/archive.hpp"

#include <minizip/unzip.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// An open archive, which has a current file.
class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), archive_(nullptr, unzClose) {
    regular_file_size(path);  // the system's reason, if it cannot be opened
    archive_.reset(unzOpen64(path.c_str()));
    if (!archive_) fail_as_damaged();
  }

  bool find(const std::string& name) {
    constexpr int same_case = 1;
    return unzLocateFile(archive_.get(), name.c_str(), same_case) == UNZ_OK;
  }

  /// Goes to the next file. Returns false behind the last one.
  bool next() {
    const int status = unzGoToNextFile(archive_.get());
    if (status != UNZ_OK && status != UNZ_END_OF_LIST_OF_FILE) fail_as_damaged();
    return status == UNZ_OK;
  }

  std::string name() {
    std::string name(info().size_filename, '\0');
    if (unzGetCurrentFileInfo64(archive_.get(), nullptr, name.data(), name.size(), nullptr, 0, nullptr, 0) !=
        UNZ_OK)
      fail_as_damaged();
    return name;
  }

  /// The bytes of the current file, called `name`.
  std::string bytes(const std::string& name, std::uint64_t most) {
    const std::uint64_t size = info().uncompressed_size;
    const std::string where = path_ + ": " + printable(name);
    if (size > most) fail(where + " has more than " + std::to_string(most) + " bytes");
    const std::string damaged = where + " is damaged";
    if (unzOpenCurrentFile(archive_.get()) != UNZ_OK) fail(damaged);
    std::string bytes;
    for (std::size_t done = 0; done < size;) {
      constexpr std::uint64_t at_once = 1 << 20;
      bytes.resize(done + std::min(size - done, at_once));
      const int read =
          unzReadCurrentFile(archive_.get(), bytes.data() + done, static_cast<unsigned>(bytes.size() - done));
      if (read <= 0) fail(damaged);
      done += static_cast<std::size_t>(read);
    }
    if (unzCloseCurrentFile(archive_.get()) != UNZ_OK) fail(damaged);  // the checksum is wrong
    return bytes;
  }

 private:
  [[noreturn]] void fail_as_damaged() const { fail(path_ + " is no zip archive, or it is damaged"); }

  unz_file_info64 info() {
    unz_file_info64 info{};
    if (unzGetCurrentFileInfo64(archive_.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
      fail_as_damaged();
    return info;
  }

  const std::string& path_;
  std::unique_ptr<void, int (*)(unzFile)> archive_;
};

}  // namespace

std::string file_in_archive(const std::string& path, const std::string& name, std::uint64_t most) {
  Archive archive(path);
  if (!archive.find(name)) fail(path + " has no file " + name);
  return archive.bytes(name, most);
}

void each_file_in_archive(const std::string& path, std::uint64_t most,
                          const std::function<void(const std::string& name, std::string bytes)>& take) {
  Archive archive(path);
  do {
    const std::string name = archive.name();
    std::string bytes = archive.bytes(name, most);
    most -= bytes.size();
    take(name, std::move(bytes));
  } while (archive.next());
}

}  // namespace gradus
