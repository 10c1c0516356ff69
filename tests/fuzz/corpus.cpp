#include "gradus/io/lines.hpp"

#include "fuzz/target.hpp"
#include "gradus/text/packed_file.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const bool packed = bytes.compare(0, 2, "\x1f\x8b") == 0;
    const auto lines = split_lines(packed ? gunzip(bytes, "corpus.gz", 100 * bytes.size()) : bytes, "corpus");
    std::string text = "\xef\xbb\xbf";  // or else a mark that begins the first line would be taken for one
    for (const std::string& line : lines) text += line + "\r\n";
    demand(split_lines(text, "corpus") == lines);
  });
}
