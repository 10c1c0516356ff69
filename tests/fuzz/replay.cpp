/// \file
/// Runs a target on the files of a folder: replay FOLDER. An ordinary program, for `make test`.

#include <cstdio>
#include <filesystem>

#include "fuzz/target.hpp"
#include "gradus/io/atomic_file.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const std::string bytes = gradus::read_file(entry.path());
    std::printf("%s\n", entry.path().c_str());
    std::fflush(stdout);  // after a crash, the last name is that of the input
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  return files == 0 ? 1 : 0;
}
