#include "gradus/io/atomic_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "gradus/io/descriptor.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

constexpr std::string_view temporary_mark = ".tmp-", digits = "0123456789abcdef";
constexpr std::size_t temporary_digits = 16;

/// A name for a temporary file in the same folder, so that it can be renamed. At the end of the scope a file that
/// still has this name is removed; after the renaming none has it.
class TemporaryName {
 public:
  explicit TemporaryName(const std::string& beside) : path_(beside) {
    path_ += temporary_mark;
    std::random_device draw;  // two processes or threads that write the same file get different names
    for (std::size_t i = 0; i < temporary_digits; ++i) path_.push_back(digits[draw() & 0xf]);
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  ~TemporaryName() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The name of the file that a temporary file stands for; "" if `name` is none of a temporary file.
std::string_view meant_by(std::string_view name) {
  const std::size_t mark = name.rfind(temporary_mark);
  if (mark == name.npos) return {};
  const std::string_view drawn = name.substr(mark + temporary_mark.size());
  const bool is_drawn = drawn.size() == temporary_digits && drawn.find_first_not_of(digits) == drawn.npos;
  return is_drawn ? name.substr(0, mark) : std::string_view();
}

/// Removes the temporary files in `folder` for which `chosen(entry, the file that is meant)` holds.
template <class Chosen>
void remove_temporary(const std::filesystem::path& folder, const Chosen& chosen) {
  std::error_code ignored;  // an error is harmless: leftovers only take space
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string(), meant(meant_by(name));
    if (!meant.empty() && chosen(entry, meant)) std::filesystem::remove(entry.path(), ignored);
  }
}

/// Reads the next bytes of a file, at most `most`; returns how many, 0 at its end.
std::size_t read_some(const Descriptor& file, char* bytes, std::size_t most, const std::string& path) {
  const ssize_t got = uninterrupted([&] { return ::read(file.get(), bytes, most); });
  if (got < 0) fail_system("read", path);
  return static_cast<std::size_t>(got);
}

bool write_parts(int fd, const std::vector<std::string_view>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](std::string_view part) { return write_all(fd, part); });
}

/// The shell holds such a file open, perhaps to append; it would not see the replacement.
bool is_standard_output(const struct stat& file) {
  struct stat output;
  return ::fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file.st_dev && output.st_ino == file.st_ino;
}

void write_into_device(const std::string& path, const std::vector<std::string_view>& parts) {
  Descriptor file(path, O_WRONLY);
  if (!file || !write_parts(file.get(), parts) || !file.close()) fail_system("write", path);
}

/// Without this a power cut could restore the old name, or leave none.
void sync_folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const Descriptor folder(parent.empty() ? "." : parent, O_RDONLY | O_DIRECTORY);
  if (!folder && errno == EACCES) return;  // a folder that may be written but not listed cannot be synced
  const bool done = folder && uninterrupted([&] { return ::fsync(folder.get()); }) == 0;
  if (!done && errno != EINVAL) fail_system("bring to the disk the folder of", path);  // EINVAL: it has no fsync
}

/// Makes `target`, which is no link, hold the parts; `old` is the file that it replaces, or null. Messages name `path`.
void replace_file(const std::string& target, const std::vector<std::string_view>& parts, const struct stat* old,
                  const std::string& path) {
  const TemporaryName temporary(target);
  {
    Descriptor file(temporary.path(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    const bool on_disk = file && (old == nullptr || ::fchmod(file.get(), old->st_mode & 07777) == 0) &&
                         write_parts(file.get(), parts) &&
                         uninterrupted([&] { return ::fsync(file.get()); }) == 0 && file.close();
    if (!on_disk) fail_system("write", path);
  }
  if (::rename(temporary.path().c_str(), target.c_str()) != 0) fail_system("write", path);
  sync_folder_of(target);
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0) fail_system("read", path);

  // One byte more than the file has, so that reading finds its end without growing; a pipe reports 0 and grows.
  std::size_t size = static_cast<std::size_t>(S_ISREG(status.st_mode) ? status.st_size : 0) + 1;
  std::string bytes;  // its memory first, because resize() writes to it
  bytes.reserve(size);
  prefer_large_pages(bytes.data(), size);
  bytes.resize(std::exchange(size, 0));
  while (const std::size_t got = read_some(file, &bytes[size], bytes.size() - size, path)) {
    size += got;
    if (size == bytes.size()) bytes.resize(2 * size + 4096);
  }
  bytes.resize(size);
  return bytes;
}

std::string sha256_of_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file) fail_system("read", path);
  std::string piece(std::size_t{1} << 20, '\0');
  Sha256 sum;
  while (const std::size_t got = read_some(file, piece.data(), piece.size(), path)) sum.add({piece.data(), got});
  return sum.digest();
}

std::uint64_t regular_file_size(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) fail_system("read", path);
  if (S_ISDIR(status.st_mode)) fail_system("read", path, EISDIR);
  if (!S_ISREG(status.st_mode)) fail("cannot read " + path + ": it is a device or a pipe, not a file");
  return static_cast<std::uint64_t>(status.st_size);
}

std::string read_regular_file(const std::string& path, std::uint64_t most) {
  const std::uint64_t size = regular_file_size(path);
  if (size > most) {
    fail("cannot read " + path + ": it has " + std::to_string(size) + " bytes, and at most " +
         std::to_string(most) + " are expected there");
  }
  return read_file(path);
}

void write_parts_atomically(const std::string& path, const std::vector<std::string_view>& parts, Links links) {
  const bool follow = links == Links::follow;
  struct stat old;
  const bool exists = (follow ? ::stat : ::lstat)(path.c_str(), &old) == 0;
  if (exists && is_standard_output(old)) {
    if (!write_parts(STDOUT_FILENO, parts)) fail_system("write", path);
    return;
  }
  if (!follow) check_own_file(path);
  if (exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) return write_into_device(path, parts);
  replace_file(follow ? file_behind(path) : path, parts, exists ? &old : nullptr, path);
}

void write_own_file(const std::string& path, std::string_view bytes) {
  write_parts_atomically(path, {bytes}, Links::refuse);
}

void write_atomically(const std::string& path, std::string_view bytes) { write_parts_atomically(path, {bytes}); }

void rename_atomically(const std::string& from, const std::string& to) {
  {
    const Descriptor file(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!file || uninterrupted([&] { return ::fsync(file.get()); }) != 0) fail_system("bring to the disk", from);
  }
  if (::rename(from.c_str(), to.c_str()) != 0) fail_system("replace", to);
  sync_folder_of(to);
}

void remove_leftovers(const std::string& folder) {
  remove_temporary(folder, [](const auto&, const std::string&) { return true; });
}

void remove_old_leftovers(const std::string& path) {
  const std::filesystem::path target = file_behind(path);
  const auto folder = target.has_parent_path() ? target.parent_path() : ".";
  const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  remove_temporary(folder, [&](const auto& entry, const std::string& meant) {
    std::error_code none;
    const auto written = entry.last_write_time(none);
    return !none && written < hour_ago && meant == target.filename();
  });
}

}  // namespace gradus
