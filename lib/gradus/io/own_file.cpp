#include "gradus/io/own_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gradus/io/folder.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

/// The path without links, as far as it exists, and without `.` and `..`.
fs::path resolved(const fs::path& path) {
  std::error_code none;  // a circle of links: opening reports it
  const fs::path found = fs::weakly_canonical(fs::absolute(path), none);
  return (none ? fs::absolute(path).lexically_normal() : found) / "";
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path all = resolved(path), first = resolved(folder);
  return std::mismatch(first.begin(), std::prev(first.end()), all.begin(), all.end()).first ==
         std::prev(first.end());
}

/// The first symbolic link on the way to `path` that lies below `folder`; empty if there is none.
fs::path link_below(const fs::path& path, const fs::path& folder) {
  fs::path reached;
  std::size_t depth = 0;  // below the folder, which is 1; 0: elsewhere
  for (const fs::path& name : fs::absolute(path).parent_path()) {
    std::error_code none;
    reached /= name;
    if (depth != 0 && name == "..") {
      --depth;
    } else if (depth != 0 && name != "." && !name.empty()) {
      if (fs::is_symlink(reached, none)) return reached;
      ++depth;
    }
    if (depth == 0 && fs::equivalent(reached, folder, none)) depth = 1;
  }
  return {};
}

void check_kind(const struct stat& file, const std::string& path) {
  const char* const kind = S_ISLNK(file.st_mode)   ? "a symbolic link"
                           : S_ISDIR(file.st_mode) ? "a folder"
                           : S_ISREG(file.st_mode) ? nullptr
                                                   : "a device or a pipe";
  if (kind == nullptr) return;
  fail("cannot write " + path + ": it is " + kind +
       ", and the program writes its own files only; remove it, or give another folder");
}

}  // namespace

void check_own_file(const std::string& path) {
  struct stat file;
  if (::lstat(path.c_str(), &file) == 0) return check_kind(file, path);
  if (errno != ENOENT && errno != ENOTDIR) fail_system("write", path);
}

Descriptor open_own_file(const std::string& path, bool at_end) {
  check_own_file(path);
  // O_NONBLOCK, so that a pipe that appears meanwhile is found below, and not waited for
  Descriptor file(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (at_end ? O_APPEND : 0), 0666);
  struct stat opened;
  if (!file || ::fstat(file.get(), &opened) != 0) fail_system("write", path);
  check_kind(opened, path);
  if (opened.st_nlink > 1)
    fail("cannot write " + path + ": the file has another name, where it would change too; remove this one");
  if (!at_end && ::ftruncate(file.get(), 0) != 0) fail_system("write", path);
  return file;
}

void check_replaceable(const std::string& path, std::string_view beginning, const std::string& kind) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return;
  std::string found(beginning.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (file.gcount() == 0 || found == beginning) return;
  fail("cannot write " + path + ": the file that is there is no " + kind + "; remove it, or give another name");
}

void check_links(const std::string& path, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const fs::path link = folder.empty() ? fs::path() : link_below(path, folder);
    if (!link.empty())
      fail("cannot write " + path + ": " + link.string() +
           " is a symbolic link, and nothing is written through those in " + folder +
           "; remove it, or give another name");
  }
}

Links links_at(const std::string& path, const std::vector<std::string>& folders) {
  check_links(path, folders);
  const fs::path parent = fs::absolute(path).parent_path();
  const bool inside = std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return !folder.empty() && is_below(parent, folder);
  });
  return inside ? Links::refuse : Links::follow;
}

void check_named_file(const std::string& path, const std::vector<std::string>& folders) {
  if (path.empty()) return;
  if (is_folder(path)) fail("cannot write " + path + ": it is a folder; give the name of a file");
  if (fs::path(path).extension() == ".gz")
    throw UsageError("cannot write " + path +
                     ": what is written is not compressed; leave .gz out, and call gzip afterwards");
  check_place(path);
  if (links_at(path, folders) == Links::refuse) check_own_file(path);
}

void check_not_read(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code none;
    if (fs::is_regular_file(input, none) && fs::equivalent(input, output, none))
      throw UsageError("cannot write " + output + ": it is one of the files that are read");
  }
}

}  // namespace gradus
