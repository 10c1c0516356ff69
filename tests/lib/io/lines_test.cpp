#include "gradus/io/lines.hpp"

#include <utility>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
using Lines = std::vector<std::string>;
using namespace std::string_view_literals;

TEST_CASE("lines end at line feeds, with or without a carriage return; the last line may have no end") {
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

TEST_CASE("a byte order mark is removed at the start of a text and kept elsewhere") {
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

TEST_CASE("invalid text is an error that names the file and the line") {
  CHECK(error_of([] { split_lines("gut\nsch\xf6n\n", "t.de"); }) ==
        "t.de, line 2: not UTF-8 (byte 4 of the line); if the file is Latin-1, iconv -f LATIN1 -t UTF-8 makes "
        "plain text of it");
  for (const char* other : {"sch\xc3\xb6n\xffx", "sch\xf6", "\xf6l", "1\xf6n", "a\xbfn"})
    CHECK(hint_at_format(other).empty());
  CHECK(error_of([] {
          split_lines(
              "\xff\xfe"
              "a\0"sv,
              "t");
        }) ==
        "t, line 1: not UTF-8 (byte 1 of the line); the file is UTF-16, and iconv -f UTF-16 -t UTF-8 makes plain "
        "text of it");
  for (const auto& [begin, name] :
       {std::pair{"\xfd"
                  "7zXZ\0"sv,
                  "xz -d"},
        std::pair{"\x28\xb5\x2f\xfd"sv, "zstd -d"}, std::pair{"BZh9\xff"sv, "bzip2 -d"},
        std::pair{"PK\x03\x04\0"sv, "unzip"}, std::pair{"\xfe\xff\0a"sv, "iconv -f UTF-16 -t"},
        std::pair{"\xff\xfe\0\0a\0\0\0"sv, "iconv -f UTF-32 -t"},
        std::pair{"\0\0\xfe\xff\0\0\0a"sv, "iconv -f UTF-32 -t"},
        std::pair{"A\0 \0d\0o\0g\0 \0r\0u\0n\0s\0"sv, "iconv -f UTF-16LE -t"},
        std::pair{"\0A\0 \0d\0o\0g\0 \0r\0u\0n\0s"sv, "iconv -f UTF-16BE -t"}}) {
    CHECK_THAT(error_of([text = begin] { split_lines(text, "t"); }), contains(name));
  }
  CHECK(split_lines("BZh is a text", "t") == Lines{"BZh is a text"});
  CHECK(error_of([] { split_lines("a\n\nb\0c"sv, "t"); }) == "t, line 3: a NUL byte (byte 2 of the line)");
  CHECK(error_of([] { split_lines("a\xc3\n\xa4", "t"); }) == "t, line 1: not UTF-8 (byte 2 of the line)");
  CHECK_THAT(error_of([] { split_lines("\x1f\x8b\x08", "t.gz"); }), contains("t.gz: packed with gzip"));
}

TEST_CASE("trimmed: spaces and tabs are removed at both ends and kept inside") {
  CHECK(trimmed(" \ta  dog\t") == "a  dog");
  CHECK(trimmed("a dog") == "a dog");
  CHECK(trimmed("\u00a0a\n") == "\u00a0a\n");
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("several lines that were typed as one sentence become one line") {
  CHECK(single_line("", "t").empty());
  CHECK(single_line("a dog\n", "t") == "a dog");
  CHECK(single_line("a\r\ndog\n runs", "t") == "a dog  runs");
  CHECK(error_of([] { single_line("a\n\xff", "t"); }) == "t, line 2: not UTF-8 (byte 1 of the line)");
}

TEST_CASE("files are read by the same rules") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "eins\r\nzwei");
  CHECK(read_lines(path) == Lines{"eins", "zwei"});
  CHECK(read_lines(path, [](const std::string&) { return std::string("other bytes"); }) == Lines{"other bytes"});
  CHECK_THAT(error_of([&] { read_lines(folder.path("missing")); }),
             contains("cannot read " + folder.path("missing") + ": No such file or directory"));
}

TEST_CASE("pairs have the same number of lines on both sides, at least one") {
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

TEST_CASE(
    "a file without a line feed has the line ends of old Macs; mixed ones are named if the lines do not match") {
  const TemporaryFolder folder;
  const std::string mac = folder.write("mac", "one\rtwo\r\rfour\r"),
                    unix = folder.write("unix", "eins\nzwei\n\nvier\n"),
                    mixed = folder.write("mixed", "one\ntwo\r\rfour\r");
  CHECK(read_lines(mac) == Lines{"one", "two", "", "four"});
  CHECK(read_lines(folder.write("word", "one\r")) == Lines{"one"});
  CHECK(read_lines(mixed) == Lines{"one", "two\r\rfour"});
  CHECK(read_pairs(mac, unix).source == Lines{"one", "two", "", "four"});
  CHECK(read_pairs(unix, mac).target == Lines{"one", "two", "", "four"});
  for (const auto& [source, target] : {std::pair{mixed, unix}, std::pair{unix, mixed}})
    CHECK_THAT(
        error_of([&, s = source, t = target] { read_pairs(s, t); }),
        contains("line 2 of " + mixed + " has carriage returns in it: if these are line ends, tr '\\r' '\\n'"));
  CHECK(error_of([&] { read_pairs(unix, folder.write("two", "eins\r\nzwei\r\n")); }).find("carriage") ==
        std::string::npos);
}

TEST_CASE("pairs in one file have a tab between them") {
  const TemporaryFolder folder;
  const LinePairs pairs = read_tab_pairs(folder.write("good", "a dog\tein Hund\r\n\n\tleer\nfour\t"));
  CHECK(pairs.source == Lines{"a dog", "", "", "four"});
  CHECK(pairs.target == Lines{"ein Hund", "", "leer", ""});
  CHECK(read_tab_pairs(folder.write("mac", "a\tb\rc\td\r")).target == Lines{"b", "d"});
  const std::string mixed = folder.write("mixed", "a\tb\nc\td\re\tf\n");
  CHECK_THAT(error_of([&] { read_tab_pairs(mixed); }),
             contains("line 2: 2 tabs") && contains("; line 2 of " + mixed + " has carriage returns in it"));
  const std::string none = folder.write("none", "a\tb\nc d\n"), many = folder.write("many", "a\tb\n\nc\td\te\tf\n"),
                    empty = folder.write("empty", "");
  CHECK(error_of([&] { read_tab_pairs(none); }) ==
        none + ", line 2: no tab between a sentence and its translation");
  CHECK(error_of([&] { read_tab_pairs(many); }) ==
        many + ", line 3: 3 tabs, but a pair has one; cut -f 1,2 keeps the columns that hold text");
  const auto advice = [&](const std::string& text) {
    const std::string file = folder.write("columns", text);
    return error_of([&] { read_tab_pairs(file); });
  };
  for (const char* text :
       {"0\tA dog.\tEin Hund.\n1\tA cat.\tEine Katze.\n", "en\tA dog.\tEin Hund.\nen\tA cat.\tEine Katze.\n",
        "0.93\tA dog.\tсобака\n0.9\tA cat.\tкошка\n"})
    CHECK_THAT(advice(text), contains("; cut -f 2,3 keeps the columns that hold text"));
  CHECK_THAT(advice("A dog.\t\tEin Hund.\nA cat.\t\tEine Katze.\n"), contains("cut -f 1,3 keeps"));
  CHECK_THAT(advice("A dog.\tEin Hund.\tUn chien.\nA cat.\tEine Katze.\tUn chat.\n"),
             contains("give the numbers of those"));
  CHECK_THAT(error_of([&] { read_tab_pairs(empty); }), contains(empty + ": empty"));
}

TEST_CASE("lines: text from a program is checked like text from a file") {
  CHECK(fault_of("Grüße").empty());
  CHECK(fault_of("").empty());
  CHECK(fault_of("a\xc3") == "not UTF-8 (byte 2 of the line)");
  CHECK(fault_of(std::string_view("ab\0c", 4)) == "a NUL byte (byte 3 of the line)");
  CHECK(utf8_fault_of(std::string_view("ab\0c", 4)).empty());
  CHECK(utf8_fault_of("ab\xff") == "not UTF-8 (byte 3 of the line)");
  CHECK_THAT(error_of([] {
               require_text({"a", "b", "\xff"}, "sentence");
             }),
             contains("sentence 3: not UTF-8 (byte 1 of the line)"));
  require_text({"a", std::string(1, '\0')}, "sentence", utf8_fault_of);
}
