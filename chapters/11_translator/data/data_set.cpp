#include "11_translator/data/data_set.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/net/download.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// The most bytes that a file may have; a size that is not known has a limit too.
std::uint64_t most_bytes(const DataFile& file) { return file.bytes != 0 ? file.bytes : 10'000'000; }

bool is_right(const DataFile& file, const std::string& path) {
  std::error_code none;
  const std::uint64_t bytes = std::filesystem::file_size(path, none);
  if (none || bytes > most_bytes(file) || (file.bytes != 0 && bytes != file.bytes)) return false;
  constexpr std::size_t md5_digits = 32;
  const std::string content = read_file(path);
  return file.digest == (file.digest.size() == md5_digits ? md5(content) : sha256(content));
}

/// A folder, made with its parents if it does not exist. At the end of the scope the new folders that are still
/// empty are removed.
class DataFolder {
 public:
  explicit DataFolder(const std::filesystem::path& folder) {
    std::error_code error;
    for (auto p = folder; !p.empty() && !std::filesystem::exists(p, error); p = p.parent_path()) made_.push_back(p);
    make_folder(folder.string());
  }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;
  ~DataFolder() {
    std::error_code not_empty;
    for (const auto& p : made_) std::filesystem::remove(p, not_empty);
  }

 private:
  std::vector<std::filesystem::path> made_;  // innermost first
};

/// The files of the set that `folder` does not have yet.
std::vector<DataFile> missing_files(const DataSet& set, const std::string& folder, const DataListener& listener) {
  std::vector<DataFile> missing;
  for (const DataFile& file : set.files) {
    if (is_right(file, folder + "/" + file.name)) {
      listener.say(file.name + " is there");
    } else {
      missing.push_back(file);
    }
  }
  return missing;
}

}  // namespace

bool has_data(const DataSet& set, const std::string& folder) {
  return std::all_of(set.files.begin(), set.files.end(),
                     [&](const DataFile& file) { return is_right(file, folder + "/" + file.name); });
}

bool fetch_data(const DataSet& set, const std::string& mirror, const std::string& folder,
                const DataListener& listener) {
  const DataFolder made(folder);
  const FolderLock lock(folder);  // two processes that continue the same partial file would damage it
  for (const DataFile& file : missing_files(set, folder, listener)) {
    const std::string path = folder + "/" + file.name, part = path + ".part";
    const auto progress = [&](std::uint64_t done, std::uint64_t all) {
      return listener.on_progress(file.name, done, all);
    };
    const DownloadEnd end = download(mirror + "/" + file.name, part, most_bytes(file), progress);
    if (!end.failure.empty()) fail(end.failure + other_places);
    if (!end.whole) return false;
    if (!is_right(file, part)) {
      std::filesystem::remove(part);
      fail(file.name + " does not have the checksum of the file in " + set.name + "; it was removed");
    }
    rename_atomically(part, path);
    listener.say(file.name + " is fetched");
  }
  return true;
}

void copy_data(const DataSet& set, const std::string& from, const std::string& folder,
               const DataListener& listener) {
  const std::vector<DataFile> missing = missing_files(set, folder, listener);
  for (const DataFile& file : missing) {  // checks all files before it writes any
    const std::string path = from + "/" + file.name;
    if (!std::filesystem::exists(path)) fail(path + " is missing");
    if (!is_right(file, path)) fail(path + " does not have the checksum of that file in " + set.name);
  }
  const DataFolder made(folder);
  const FolderLock lock(folder);
  for (const DataFile& file : missing) {
    write_own_file(folder + "/" + file.name, read_file(from + "/" + file.name));
    listener.say(file.name + " is copied");
  }
}

}  // namespace gradus
