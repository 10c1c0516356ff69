#include "gradus/text/packed_file.hpp"

#include "gradus/io/lines.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
using Lines = std::vector<std::string>;

namespace {

/// printf 'eins\nzwei\n' | gzip -n9
const std::string packed(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xcd\xcc\x2b\xe6\xaa\x2a\x4f\xcd\xe4\x02\x00\x94\x9b\x82\xc2\x0a"
    "\x00\x00\x00",
    30);

}  // namespace

TEST_CASE("packed and plain files give the same lines, whatever they are called") {
  const TemporaryFolder folder;
  const std::string plain = folder.write("plain.gz", "eins\nzwei\n"), gzip = folder.write("packed", packed);
  CHECK(read_lines(plain, read_packed_file) == Lines{"eins", "zwei"});
  CHECK(read_lines(gzip, read_packed_file) == Lines{"eins", "zwei"});
  CHECK(read_pairs(plain, gzip, read_packed_file).target == Lines{"eins", "zwei"});
  CHECK(read_packed_file(folder.write("empty.gz", "")).empty());
}

TEST_CASE("packed files in a row give their contents in a row") {
  CHECK(gunzip(packed + packed, "t", 1000) == "eins\nzwei\neins\nzwei\n");
}

TEST_CASE("a packed file that is cut short or damaged anywhere is an error") {
  for (std::size_t size = 2; size < packed.size(); ++size) {
    INFO("cut after byte " << size);
    CHECK_THAT(error_of([&] { gunzip(packed.substr(0, size), "t.gz", 1000); }),
               contains("t.gz: the gzip file is cut short"));
  }
  for (std::size_t at = 10; at < packed.size(); ++at) {  // from the data on; the time stamp, for one, may differ
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    INFO("byte " << at);
    CHECK_THAT(error_of([&] { gunzip(damaged, "t.gz", 1000); }), contains("t.gz: the gzip file is"));
  }
  CHECK_THAT(error_of([&] { gunzip(packed + "more", "t.gz", 1000); }), contains("t.gz: the gzip file is damaged"));
  // python3 -c 'import zlib; print(zlib.compress(b"eins\nzwei\n", 9))': zlib's own header is not gzip's.
  const std::string zlib("\x78\xda\x4b\xcd\xcc\x2b\xe6\xaa\x2a\x4f\xcd\xe4\x02\x00\x14\xc7\x03\x83", 18);
  CHECK_THAT(error_of([&] { gunzip(zlib, "t.gz", 1000); }), contains("t.gz: the gzip file is damaged"));
}

TEST_CASE("a packed file cannot take more memory than its limit") {
  CHECK(gunzip(packed, "t", 10).size() == 10);
  CHECK(error_of([] { gunzip(packed, "t.gz", 9); }) ==
        "t.gz: unpacks to more than 9 bytes, too many for a text of its size");
}
