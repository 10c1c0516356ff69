#pragma once
/// \file
/// The files of a data set: fetched, or found in a folder, and in both cases told from others by their checksums.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gradus {

struct DataFile {
  std::string name, sha256;
  std::uint64_t bytes;
};

struct DataSet {
  std::string name, mirror;  ///< where its files lie, each as MIRROR/NAME
  std::vector<DataFile> files;
  std::string citation, terms;
};

/// Multi30k, task 1, English and German as they were written: 29,000 pairs to train on, 1,014 to validate, 1,000 to test
/// (Elliott, Frank, Sima'an, Specia 2016).
const DataSet& multi30k();

/// Whom to tell while it goes on. Both may be absent.
struct DataListener {
  std::function<void(const std::string&)> say;
  std::function<bool(const std::string& name, std::uint64_t done, std::uint64_t all)> on_progress;
};

/// Makes `folder` hold the files of the set. Those that are there with the right checksum stay as they are; the others
/// are fetched from `mirror`, a beginning (NAME.part) from where it ends. Throws Error: what cannot be had and what else
/// can be done, or which file is not the one that it should be (which then is not kept), or that another process works in
/// the folder. A folder that was made for nothing goes again. Never takes more bytes than the files have. Returns false
/// if the listener stopped it.
bool fetch_data(const DataSet& set, const std::string& mirror, const std::string& folder,
                const DataListener& listener);

/// The same from a folder on this machine.
void copy_data(const DataSet& set, const std::string& from, const std::string& folder,
               const DataListener& listener);

}  // namespace gradus
