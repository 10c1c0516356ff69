#include "gradus/io/lines.hpp"

#include <sstream>
#include <stdexcept>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
using Lines = std::vector<std::string>;
using namespace std::string_view_literals;

namespace {

Lines lines_of_stream(const std::string& text) {
  std::istringstream stream(text);
  return LineStream(stream, "stream").next(100);
}

}  // namespace

TEST_CASE("lines end at line feeds, with or without a carriage return, and the last one need not end") {
  CHECK(split_lines("", "t").empty());
  CHECK(split_lines("a", "t") == Lines{"a"});
  CHECK(split_lines("a\n", "t") == Lines{"a"});
  CHECK(split_lines("\n", "t") == Lines{""});
  CHECK(split_lines("a\n\n\nb", "t") == Lines{"a", "", "", "b"});
  CHECK(split_lines("a\n\n", "t") == Lines{"a", ""});
  CHECK(split_lines("a\r\nb\r\n", "t") == Lines{"a", "b"});
  CHECK(split_lines("\r\n\r\n", "t") == Lines{"", ""});
  CHECK(split_lines("a\nb\r\nc\r", "t") == Lines{"a", "b", "c"});
}

TEST_CASE("no other character ends a line") {
  const std::string odd = "a\rb\vc\fd\u0085e\u2028f\u2029g ";
  CHECK(split_lines(odd + "\n", "t") == Lines{odd});
  CHECK(split_lines("a\r\r\n", "t") == Lines{"a\r"});
}

TEST_CASE("a byte order mark is dropped at the head of a text and kept elsewhere") {
  CHECK(split_lines("\xef\xbb\xbf"
                    "a\n",
                    "t") == Lines{"a"});
  CHECK(split_lines("\xef\xbb\xbf", "t").empty());
  CHECK(split_lines("a\n\xef\xbb\xbf"
                    "b",
                    "t") == Lines{"a",
                                  "\xef\xbb\xbf"
                                  "b"});
}

TEST_CASE("broken text is an error that names the file and the line") {
  CHECK(error_of([] { split_lines("gut\nsch\xf6n\n", "t.de"); }) == "t.de, line 2: not UTF-8 (byte 4 of the line)");
  CHECK(error_of([] {
          split_lines(
              "\xff\xfe"
              "a\0"sv,
              "t");
        }) == "t, line 1: not UTF-8 (byte 1 of the line)");
  CHECK(error_of([] { split_lines("a\n\nb\0c"sv, "t"); }) == "t, line 3: a NUL byte (byte 2 of the line)");
  CHECK(error_of([] { split_lines("a\xc3\n\xa4", "t"); }) == "t, line 1: not UTF-8 (byte 2 of the line)");
  CHECK_THAT(error_of([] { split_lines("\x1f\x8b\x08", "t.gz"); }), contains("t.gz: packed with gzip"));
}

TEST_CASE("files and streams are read by the same rules") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "eins\r\nzwei");
  CHECK(read_lines(path) == Lines{"eins", "zwei"});
  CHECK(read_lines(path, [](const std::string&) { return std::string("other bytes"); }) == Lines{"other bytes"});

  CHECK(lines_of_stream("eins\n\nzwei\n") == Lines{"eins", "", "zwei"});
  CHECK_THAT(error_of([] { lines_of_stream("eins\n\x80"); }), contains("stream, line 2: not UTF-8"));
  CHECK_THAT(error_of([] { lines_of_stream("\x1f\x8b\x08"); }), contains("stream: packed with gzip"));
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& text : {std::string(), mark, mark + "\n", mark + "a\r\n" + mark + "\n",
                                  std::string("\n\r"), std::string("a\n\n"), std::string("a\r\nb\r\r\nc\r")}) {
    CHECK(lines_of_stream(text) == split_lines(text, "t"));
  }
  CHECK_THAT(error_of([&] { read_lines(folder.path("missing")); }),
             contains("cannot read " + folder.path("missing") + ": No such file or directory"));
}

TEST_CASE("a stream gives its lines some at a time, and says when it breaks") {
  std::istringstream five("1\n2\n3\n4\n5");
  LineStream lines(five, "stream");
  CHECK(lines.next(2) == Lines{"1", "2"});
  CHECK(five.peek() == '3');  // no further than asked
  CHECK(lines.next(2) == Lines{"3", "4"});
  CHECK(lines.next(2) == Lines{"5"});
  CHECK(lines.next(2).empty());

  struct Breaking : std::stringbuf {
    Breaking() : std::stringbuf("eins\nzw") {}
    int_type underflow() override { throw std::runtime_error("the disk is gone"); }
  } breaking;
  std::istream stream(&breaking);
  CHECK(error_of([&] { LineStream(stream, "stream").next(9); }) == "stream: cannot be read to its end");
}

TEST_CASE("pairs have as many lines on both sides, and at least one") {
  const TemporaryFolder folder;
  const std::string two = folder.write("two", "eins\nzwei\n"), one = folder.write("one", "one\n"),
                    none = folder.write("none", ""), also_two = folder.write("also_two", "one\n\n");

  const LinePairs pairs = read_pairs(two, also_two);
  CHECK(pairs.source == Lines{"eins", "zwei"});
  CHECK(pairs.target == Lines{"one", ""});
  CHECK_THAT(error_of([&] { read_pairs(two, one); }), contains(two + " has 2 lines, but " + one + " has 1 line:"));
  CHECK_THAT(error_of([&] { read_pairs(none, one); }), contains(none + ": empty"));
  CHECK_THAT(error_of([&] { read_pairs(one, none); }), contains(none + ": empty"));
  CHECK_THAT(error_of([&] { read_pairs(none, none); }), contains(none + ": empty"));
}
