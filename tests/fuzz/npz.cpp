#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/import/marian_npz.hpp"
#include "app/import/vocabulary_yaml.hpp"
#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

std::size_t values_in(const MarianFile& file) {
  std::size_t total = 0;
  for (const std::string& name : file.names()) {
    if (file.type(name) == MarianFile::Type::bytes) {
      demand(file.text(name).size() <= file.count(name));
    } else {
      total += file.values<double>(name).size();
    }
  }
  return total;
}

}  // namespace

/// The bytes as a list of pieces, as one array, and as an archive: a file on the disk, because minizip opens one.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  survives(data, size,
           [](const std::string& bytes) { demand(parse_vocabulary_yaml(bytes, "vocab.yml").size() > 1); });
  survives(data, size, [](const std::string& bytes) {
    MarianFile file("model.npz");
    add_npy(file, "W.npy", bytes);
    demand(values_in(file) <= bytes.size());
  });
  return survives(data, size, [](const std::string& bytes) {
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("gradus-fuzz-" + std::to_string(getpid()) + ".npz")).string();
    std::ofstream(path, std::ios::binary) << bytes;
    struct Removed {
      ~Removed() { std::filesystem::remove(path); }
    } const removed;
    values_in(load_marian_npz(path));
  });
}
