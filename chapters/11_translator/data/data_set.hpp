#pragma once
/// \file
/// The files of a data set: downloaded, or copied from a folder, and checked by their checksums.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gradus {

struct DataFile {
  std::string name;
  std::string digest;       ///< SHA-256, or MD5 where its publishers give only that, in hexadecimal digits
  std::uint64_t bytes = 0;  ///< 0: not known
};

struct DataSet {
  std::string name, mirror;  ///< the address of its files is MIRROR/NAME
  std::vector<DataFile> files;
  std::string citation, terms;
};

/// The functions that report progress. Each does nothing until it is set.
struct DataListener {
  std::function<void(const std::string&)> say = [](const std::string&) {};
  /// returns false to stop
  std::function<bool(const std::string& name, std::uint64_t done, std::uint64_t all)> on_progress =
      [](const auto&, auto, auto) { return true; };
};

/// What a message about a failed download says besides.
constexpr const char* other_places =
    "; another place can be named with --mirror, and a folder that holds the files with --from";

/// Whether `folder` has all files of the set, each with its checksum.
bool has_data(const DataSet& set, const std::string& folder);

/// Puts the files of the set into `folder`. Keeps files that have the right checksum. Downloads the others from
/// `mirror`, and continues a partial file (NAME.part). Never downloads more bytes than a file has. Throws Error if
/// a file cannot be downloaded, with what else the user can do; if a file has a wrong checksum (it is then
/// removed); and if another process works in the folder. After an error, new folders that are empty are removed.
/// Returns false if the listener stopped it.
bool fetch_data(const DataSet& set, const std::string& mirror, const std::string& folder,
                const DataListener& listener);

/// The same, from a folder on this machine.
void copy_data(const DataSet& set, const std::string& from, const std::string& folder,
               const DataListener& listener);

}  // namespace gradus
