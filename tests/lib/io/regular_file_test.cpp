#include <sys/stat.h>

#include <filesystem>

#include "gradus/io/atomic_file.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

TEST_CASE("a regular file with a size limit: devices and pipes are not opened, larger files are not read") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "12345"), link = folder.path("link"), pipe = folder.path("pipe");
  fs::create_symlink(file, link);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);  // no process writes into it
  CHECK(regular_file_size(file) == 5);
  CHECK(read_regular_file(file, 5) == "12345");
  CHECK(read_regular_file(link, 5) == "12345");

  const auto message = [](const std::string& path) { return error_of([&] { read_regular_file(path, 4); }); };
  CHECK(message(file) == "cannot read " + file + ": it has 5 bytes, and at most 4 are expected there");
  CHECK(message(pipe) == "cannot read " + pipe + ": it is a device or a pipe, not a file");
  CHECK(message("/dev/zero") == "cannot read /dev/zero: it is a device or a pipe, not a file");
  CHECK(message(folder.path("")) == "cannot read " + folder.path("") + ": Is a directory");
  CHECK(message(folder.path("missing")) == "cannot read " + folder.path("missing") + ": No such file or directory");
}
