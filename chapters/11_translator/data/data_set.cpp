#include "11_translator/data/data_set.hpp"

#include <filesystem>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/folder_lock.hpp"
#include "gradus/net/download.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/sha256.hpp"

namespace gradus {
namespace {

bool is_right(const DataFile& file, const std::string& path) {
  std::error_code none;
  return std::filesystem::file_size(path, none) == file.bytes && !none && sha256(read_file(path)) == file.sha256;
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

const DataSet& multi30k() {
  static const DataSet set{
      "Multi30k",
      "https://raw.githubusercontent.com/multi30k/dataset/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw",
      {{"train.en.gz", "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f", 568929},
       {"train.de.gz", "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6", 637044},
       {"val.en.gz", "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28", 21650},
       {"val.de.gz", "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a", 24681},
       {"test_2016_flickr.en.gz", "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9", 21077},
       {"test_2016_flickr.de.gz", "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8", 22890}},
      "Elliott, Frank, Sima'an, Specia (2016), Multi30K: Multilingual English-German Image Descriptions",
      "for non-commercial research and education"};
  return set;
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
    const DownloadEnd end = download(mirror + "/" + file.name, part, file.bytes, progress);
    if (!end.failure.empty()) {
      fail(end.failure +
           "; another place can be named with --mirror, and a folder that holds the files with --from");
    }
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
    write_atomically(folder + "/" + file.name, read_file(from + "/" + file.name));
    listener.say(file.name + " is copied");
  }
}

}  // namespace gradus
