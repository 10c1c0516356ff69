#include "gradus/io/mapped_file.hpp"

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/digest.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("a mapped file has the bytes of the file, also after they were given back") {
  const TemporaryFolder folder;
  std::string bytes(100'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i);
  const MappedFile file(folder.write("numbers", bytes)), none(folder.write("empty", ""));
  CHECK(file.bytes() == bytes);
  file.forget();
  CHECK(file.bytes() == bytes);
  CHECK(none.bytes().empty());
  none.forget();
}

TEST_CASE("a mapped file keeps its bytes when another file gets its name, or none has it") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", "old");
  const MappedFile file(path);
  write_atomically(path, "a new text");
  CHECK(file.bytes() == "old");
  std::filesystem::remove(path);
  file.forget();
  CHECK(file.bytes() == "old");
}

TEST_CASE("what is no file cannot be mapped") {
  const TemporaryFolder folder;
  CHECK(error_of([&] { const MappedFile file(folder.path("none")); }) ==
        "cannot read " + folder.path("none") + ": No such file or directory");
  CHECK_THAT(error_of([&] { const MappedFile file(folder.path("")); }), contains("Is a directory"));
  CHECK_THAT(error_of([] { const MappedFile file("/dev/null"); }), contains("it is a device or a pipe"));
}

TEST_CASE("the digest of a file is that of its bytes, whatever their number") {
  const TemporaryFolder folder;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, (std::size_t{3} << 20) + 5}) {
    std::string bytes(size, 'a');
    if (size != 0) bytes.back() = 'b';
    CHECK(sha256_of_file(folder.write("file", bytes)) == sha256(bytes));
  }
  CHECK(error_of([&] { sha256_of_file(folder.path("none")); }) ==
        "cannot read " + folder.path("none") + ": No such file or directory");
}
