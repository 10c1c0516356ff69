#include "gradus/text/incoming_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "gradus/io/lines.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
using Lines = std::vector<std::string>;

namespace {

/// A pipe. Its write end can be closed earlier.
class Pipe {
 public:
  Pipe() {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    end();
    close(ends_[0]);
  }
  int reading() const { return ends_[0]; }
  void send(const std::string& bytes) const {
    if (write(ends_[1], bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("the pipe is full");
  }
  void end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

Lines texts(const std::vector<IncomingLine>& lines) {
  Lines found;
  for (const IncomingLine& line : lines) found.push_back(line.fault.empty() ? line.text : "fault: " + line.fault);
  return found;
}

/// All lines of a pipe that receives `text` in parts of that many bytes.
Lines through_a_pipe(const std::string& text, std::size_t part) {
  Pipe pipe;
  std::thread writer([&] {
    for (std::size_t at = 0; at < text.size(); at += part) pipe.send(text.substr(at, part));
    pipe.end();
  });
  IncomingLines lines(pipe.reading(), "pipe");
  Lines all;
  for (Lines some = texts(lines.next(3)); !some.empty(); some = texts(lines.next(3))) {
    CHECK(some.size() <= 3);
    all.insert(all.end(), some.begin(), some.end());
  }
  writer.join();
  return all;
}

/// printf 'eins\nzwei\n' | gzip -n9
const std::string packed(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xcd\xcc\x2b\xe6\xaa\x2a\x4f\xcd\xe4\x02\x00\x94\x9b\x82\xc2\x0a"
    "\x00\x00\x00",
    30);

}  // namespace

TEST_CASE("incoming lines: the same as those of a text, in whatever parts they come") {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("a\n"), std::string("\n\r"), std::string("a\n\n"), mark,
        mark + "\n", mark + "a\r\n" + mark + "\nb", std::string("a\r\nb\r\r\nc\r"),
        std::string("\xc3\xa4\n\xe2\x82\xac\n1\n2\n3\n4")}) {
    for (const std::size_t part : {std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
      CHECK(through_a_pipe(text, part) == split_lines(text, "t"));
    }
  }
}

TEST_CASE("incoming lines: without a line feed carriage returns end lines, as in a file that is read at once") {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& text :
       {std::string("a\rb"), std::string("a\rb\r"), std::string("\ra\r\rb"), std::string("\r"), mark + "a\rb\r",
        std::string("a\rb\n"), std::string("a\r\nb\rc"), std::string("a\rb\r\n"), std::string("a\r")}) {
    for (const std::size_t part : {std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
      INFO(text);
      CHECK(through_a_pipe(text, part) == split_lines(with_line_feeds(text), "t"));
    }
  }
  CHECK(through_a_pipe("a\rb\xff\rc", 100) == Lines{"a", "fault: not UTF-8 (byte 2 of the line)", "c"});
}

TEST_CASE("incoming lines: a line is given before the next one comes, and those that are there together") {
  Pipe pipe;
  IncomingLines lines(pipe.reading(), "pipe");
  pipe.send("1\n");
  CHECK(texts(lines.next(9)) == Lines{"1"});
  pipe.send("2\n3\n4\n5\n6");
  CHECK(texts(lines.next(3)) == Lines{"2", "3", "4"});
  CHECK(texts(lines.next(9)) == Lines{"5"});  // the next one has no end yet
  pipe.send("6\n");
  CHECK(texts(lines.next(9)) == Lines{"66"});
  pipe.send("7");
  pipe.end();
  CHECK(texts(lines.next(9)) == Lines{"7"});
  CHECK(lines.next(9).empty());
  CHECK(lines.next(9).empty());
}

TEST_CASE("incoming lines: the first one is waited for, also where the descriptor does not block") {
  Pipe pipe;
  REQUIRE(fcntl(pipe.reading(), F_SETFL, O_NONBLOCK) == 0);
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pipe.send("late\n");
  });
  IncomingLines lines(pipe.reading(), "pipe");
  CHECK(texts(lines.next(9)) == Lines{"late"});
  late.join();
}

TEST_CASE("incoming lines: invalid text is an error of its own line only") {
  const std::string text = "one\n\xc3\nthree\n" + std::string("a\0b\n", 4) + "\x1b[31m\n" + "\xc2\x9b" + "1m\n" +
                           "x\x7f\n\tb\r\xe2\x80\xa8\xe2\x80\xa9 c\na\v\nab\f\n\xc2\x85\nlast\xa4";
  CHECK(through_a_pipe(text, 100) ==
        Lines{"one", "fault: not UTF-8 (byte 1 of the line)", "three", "fault: a NUL byte (byte 2 of the line)",
              "fault: the control character U+001B (byte 1 of the line)",
              "fault: the control character U+009B (byte 1 of the line)",
              "fault: the control character U+007F (byte 2 of the line)", "\tb\r\u2028\u2029 c",
              "fault: the control character U+000B (byte 2 of the line)",
              "fault: the control character U+000C (byte 3 of the line)",
              "fault: the control character U+0085 (byte 1 of the line)", "fault: not UTF-8 (byte 5 of the line)"});
  CHECK(line_fault("Stra\u00dfe \u72d7 \U0001F415").empty());
  CHECK(line_fault("\u009f") == "the control character U+009F (byte 1 of the line)");
  CHECK(line_fault("\u00a0").empty());
}

TEST_CASE(
    "incoming lines: files of sentences and typed ones follow the same rule, and the place of a fault is named") {
  const gradus::test::TemporaryFolder folder;
  const std::string good = folder.write("good", "a\tb\r\nc\n"), bad = folder.write("bad", "a\nb\xc2\x9b\n");
  CHECK(read_sentences({good, good}) == std::vector<Lines>{{"a\tb", "c"}, {"a\tb", "c"}});
  CHECK(error_of([&] {
          read_sentences({good, bad});
        }) == bad + ", line 2: the control character U+009B (byte 2 of the line)");
  CHECK(typed_sentence("a dog\n runs", "it") == "a dog  runs");
  CHECK(error_of([] { typed_sentence("a\x7f", "it"); }) == "it: the control character U+007F (byte 2 of the line)");
  CHECK(typed_line("a dog\n runs").text == "a dog  runs");
  CHECK(typed_line("a dog\n runs").fault.empty());
  CHECK(typed_line("a\nb\x7f").text.empty());
  CHECK(typed_line("a\nb\x7f").fault == "the control character U+007F (byte 4 of the line)");
  CHECK(typed_line("a\xff").fault == "not UTF-8 (byte 2 of the line)");
}

TEST_CASE("incoming lines: a packed file is unpacked, a damaged one an error") {
  for (const std::size_t part : {std::size_t{1}, std::size_t{100}})
    CHECK(through_a_pipe(packed, part) == Lines{"eins", "zwei"});
  Pipe pipe;
  pipe.send(packed.substr(0, 20));
  pipe.end();
  CHECK(error_of([&] { IncomingLines(pipe.reading(), "in.gz").next(1); }) == "in.gz: the gzip file is cut short");
}

TEST_CASE("incoming lines: of a file of another kind the first line says which") {
  const std::string wide(
      "\xff\xfe"
      "A\0\n\0B\0\n\0",
      10),
      faulty("A\xff\n\xff\xfe\n");
  for (const std::size_t part : {std::size_t{1}, std::size_t{100}})
    CHECK(
        through_a_pipe(wide, part) ==
        Lines{"fault: not UTF-8 (byte 1 of the line); the file is UTF-16, and iconv -f UTF-16 -t UTF-8 makes plain "
              "text of it",
              "fault: a NUL byte (byte 1 of the line)", "fault: a NUL byte (byte 1 of the line)"});
  CHECK_THAT(through_a_pipe("BZh91AY&SY\x01\x02\n", 100).at(0), contains("; the file is packed with bzip2"));
  CHECK(through_a_pipe("BZh is a name\n", 100) == Lines{"BZh is a name"});
  CHECK(through_a_pipe(faulty, 100) ==
        Lines{"fault: not UTF-8 (byte 2 of the line)", "fault: not UTF-8 (byte 1 of the line)"});
  const std::string fault = "fault: not UTF-8 (byte 2 of the line)";
  CHECK(through_a_pipe("plain\nM\xe4nner\nM\xe4nner\n", 100) ==
        Lines{"plain", fault + "; if the file is Latin-1, iconv -f LATIN1 -t UTF-8 makes plain text of it", fault});
  for (const char* latin : {"caf\xe9.\n", "caf\xe9 noir\n"})
    CHECK_THAT(through_a_pipe(latin, 100).at(0), contains("if the file is Latin-1"));
}

TEST_CASE("incoming lines: a packed file of several blocks is unpacked as a whole") {
  const TemporaryFolder folder;
  std::string text;
  std::uint32_t drawn = 1;
  for (int i = 0; i < 40'000; ++i) text += std::to_string(drawn = drawn * 1664525 + 1013904223) + "\n";
  const std::string path = folder.write("text", text);
  REQUIRE(std::system(("gzip -1 " + path).c_str()) == 0);
  REQUIRE(std::filesystem::file_size(path + ".gz") > 3 << 16);
  const int file = open((path + ".gz").c_str(), O_RDONLY);
  IncomingLines lines(file, "text.gz");
  CHECK(texts(lines.next(50'000)) == split_lines(text, "text"));
  close(file);
}

TEST_CASE("incoming lines: a line without end takes a limited amount of memory") {
  const TemporaryFolder folder;
  const std::string path = folder.write("long", ""), begin = "a\n", end = "\nb\n";
  {
    std::ofstream file(path, std::ios::binary);
    file << begin;
    const std::string part(std::size_t{1} << 20, 'x');
    for (std::size_t at = 0; at <= IncomingLines::longest_line; at += part.size()) file << part;
    file << end;
  }
  const int descriptor = open(path.c_str(), O_RDONLY);
  IncomingLines lines(descriptor, "long");
  CHECK(texts(lines.next(9)) == Lines{"a", "fault: longer than 67108864 bytes", "b"});
  close(descriptor);
}

TEST_CASE("incoming lines: a failed read is an error that names the file") {
  const TemporaryFolder folder;
  const int descriptor = open(folder.path("").c_str(), O_RDONLY);
  CHECK(error_of([&] { IncomingLines(descriptor, "folder").next(1); }) ==
        "folder: cannot be read to its end: Is a directory");
  close(descriptor);
}
