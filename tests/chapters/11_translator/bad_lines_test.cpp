/// \file
/// Input that `gradus translate` cannot use, and output files that it cannot write.

#include <filesystem>

#include "chapters/11_translator/program.hpp"
#include "gradus/io/folder.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

/// A folder with a model that was trained for a step.
struct Trained : Playground {
  explicit Trained(const std::string& name) : Playground(name) {
    REQUIRE(gradus_program(*this, toy_training(file("run"), "--max-steps 1")).status == 0);
  }
};

}  // namespace

TEST_CASE("bad input: translate refuses bad files, and names them") {
  const Trained place("bad-lines");
  expect_refusal(translate_with_run(place, "--input " + place.file("missing")), "missing");
  expect_refusal(translate_with_run(place, "--input " + place.path), place.path);
  expect_refusal(translate_with_run(place, "--input " + place.write("cut.gz", "\x1f\x8b\x08")), "cut.gz");
}

TEST_CASE("bad input: explain, evaluate, score-pairs and bench refuse the characters that translate refuses") {
  const Trained place("bad-characters");
  const std::string model = " --model " + place.file("run"), good = place.write("good", "A dog.\nA\tcat.\r\n");
  const std::string pair = " --source " + good + " --target " + good,
                    test = " --source " + good + " --reference " + good;
  CHECK(gradus_program(place, "score-pairs" + pair + model).status == 0);
  CHECK(gradus_program(place, "evaluate --max-length 2" + test + model).status == 0);
  std::vector<std::string> faults{"\x7f"};
  for (int c = 1; c < 0x20; ++c) {
    if (c != '\t' && c != '\n' && c != '\r') faults.emplace_back(1, static_cast<char>(c));
  }
  for (int c = 0x80; c < 0xa0; ++c) faults.push_back("\xc2" + std::string(1, static_cast<char>(c)));
  for (std::size_t i = 0; i < faults.size(); i += 9) {
    const std::string bad = place.write("bad", "A dog.\nA " + faults[i] + "cat.\n");
    const std::string where = bad + ", line 2: the control character U+00";
    for (const std::string& words :
         {"evaluate --source " + bad + " --reference " + good, "evaluate --source " + good + " --reference " + bad,
          "score-pairs --source " + bad + " --target " + good, "score-pairs --source " + good + " --target " + bad,
          "bench --input " + bad})
      expect_refusal(gradus_program(place, words + model), where);
    expect_refusal(gradus_program(place, "explain 'A " + faults[i] + "cat.'" + model),
                   "the sentence: the control character U+00");
  }
}

TEST_CASE(
    "bad input: a line that is no text has an empty answer and a message, and the others their translations") {
  const Trained place("one-bad-line");
  const std::string bad = "A dog.\ngr\xFC\xDF\nA cat.\n\nA\x1B[31m dog.\n" + std::string("A\0dog.\n", 7) + "A dog.";
  const std::string good = "A dog.\n\nA cat.\n\n\n\nA dog.";
  const Result expected = translate_with_run(place, "", good);
  CHECK(expected.status == 0);
  CHECK(lines_in(expected.out) == 7);
  const auto check = [&](const Result& r, const std::string& origin) {
    INFO(r.err);
    CHECK(r.status == 1);
    CHECK(complaints_in(r.err) == 3);
    for (const char* part : {", line 2: not UTF-8 (byte 3 of the line)", ", line 5: the control character U+001B",
                             ", line 6: a NUL byte"}) {
      CHECK(r.err.find("gradus: " + origin + part) != std::string::npos);
    }
  };
  const Result piped = translate_with_run(place, "", bad);
  CHECK(piped.out == expected.out);
  check(piped, "the standard input");
  const std::string file = place.write("in", bad);
  for (const std::string options : {"", "--buffer 1 ", "--buffer 2 "}) {
    const Result r = translate_with_run(place, options + "--input " + file);
    CHECK(r.out == expected.out);
    check(r, file);
  }
  check(translate_with_run(place, "--output " + place.file("out") + " --input " + file), file);
  CHECK(read_file(place.file("out")) == expected.out);
  const Result json = translate_with_run(place, "--json", bad);
  CHECK(json.status == 1);
  CHECK(json.out.find(
            "\n{\"line\":2,\"source\":\"\",\"text\":\"\",\"error\":\"not UTF-8 (byte 3 of the line)\"}\n") !=
        std::string::npos);
}

TEST_CASE(
    "bad input: an argument that is no text has an empty answer and a message with its number, as a line of a "
    "file") {
  const Trained place("bad-argument");
  const Result r =
      translate_with_run(place, "'A dog.' $(printf 'gr\\374n') 'A cat.' $(printf 'gr\\033n') '' 'A dog.'");
  CHECK(r.status == 1);
  CHECK(r.out == translate_with_run(place, "", "A dog.\n\nA cat.\n\n\nA dog.").out);
  CHECK(complaints_in(r.err) == 2);
  CHECK(r.err.find("gradus: sentence 2: not UTF-8 (byte 3 of the line); its answer is an empty line\n") !=
        r.err.npos);
  CHECK(r.err.find("gradus: sentence 4: the control character U+001B (byte 3 of the line)") != r.err.npos);
  const Result alone = translate_with_run(place, "$(printf '\\033')");
  CHECK(alone.status == 1);
  CHECK(alone.out == "\n");
}

TEST_CASE("bad input: carriage returns end lines where no line feed does, and are named where some do") {
  const Trained place("returns");
  const std::string expected = translate_with_run(place, "", "A dog.\nA cat.\n\nA dog.\n").out;
  CHECK(lines_in(expected) == 4);
  for (const std::string text :
       {"A dog.\rA cat.\r\rA dog.\r", "A dog.\rA cat.\r\rA dog.", "A dog.\r\nA cat.\r\n\r\nA dog.\r\n"}) {
    for (const Result& r :
         {translate_with_run(place, "", text), translate_with_run(place, "--input " + place.write("in", text))}) {
      CHECK(r.out == expected);
      CHECK(lines_with(r.err, "carriage").empty());
    }
  }
  const std::string mixed = "A dog.\nA cat.\rA dog.\rA cat.\nA\rdog.\n", name = place.write("mixed", mixed);
  const auto check = [&](const Result& r, const std::string& origin) {
    CHECK(lines_in(r.out) == 3);
    CHECK(lines_in(lines_with(r.err, "carriage")) == 1);
    CHECK_THAT(r.err, gradus::test::contains("warning: line 2 of " + origin + " has carriage returns in it: if"));
  };
  check(translate_with_run(place, "", mixed), "the standard input");
  check(translate_with_run(place, "--json", mixed), "the standard input");
  check(translate_with_run(place, "--input " + name), name);
  const Result two = translate_with_run(place, "--input " + name + " --input " + place.write("other", mixed));
  CHECK(lines_in(lines_with(two.err, "carriage")) == 2);
}

TEST_CASE("bad input: evaluate, score, score-pairs and bench name lines with carriage returns within them") {
  const Trained place("returns-elsewhere");
  const std::string good = place.write("good", "A dog.\r\nA cat.\r\n"),
                    mixed = place.write("mixed", "A dog.\nA\rcat.\n");
  const std::string model = " --model " + place.file("run");
  const auto warnings = [&](const std::string& words) {
    const Result r = gradus_program(place, words);
    INFO(r.err);
    CHECK(r.status == 0);
    const std::string found = lines_with(r.err, "carriage");
    CHECK((found.empty() || found.find("warning: line 2 of " + mixed) == 0));
    return lines_in(found);
  };
  CHECK(warnings("score --hypotheses " + good + " --references " + good) == 0);
  CHECK(warnings("score --hypotheses " + mixed + " --references " + good) == 1);
  CHECK(warnings("score --hypotheses " + good + " --references " + mixed) == 1);
  CHECK(warnings("evaluate --max-length 2 --source " + mixed + " --reference " + mixed + model) == 2);
  CHECK(warnings("score-pairs --source " + mixed + " --target " + good + model) == 1);
  CHECK(warnings("bench --input " + mixed + model) == 1);
}

TEST_CASE("bad input: a standard input that cannot be read is an error, not an empty text") {
  const Trained place("no-stdin");
  const std::string command = program_file() + " translate --model " + place.file("run") + " --output " +
                              place.file("out") + " < " + place.path + " 2> " + place.file("errors");
  const int status = std::system(command.c_str());
  expect_refusal({WEXITSTATUS(status), "", read_file(place.file("errors"))}, "the standard input");
  CHECK_FALSE(fs::exists(place.file("out")));
}

TEST_CASE("bad input: an output that cannot be written is named, and an old file there is kept") {
  const Trained place("bad-output");
  expect_refusal(translate_with_run(place, "'A dog.' --output " + place.file("no/where")), "no/where");
  expect_refusal(translate_with_run(place, "'A dog.' --output " + place.path), "it is a folder");
  const std::string text = place.write("text.html", "A dog.\n");
  for (const std::string option : {"--output ", "--attention "}) {
    expect_refusal(translate_with_run(place, "--input " + text + " " + option + text), "is one of the files", 2);
    CHECK(read_file(text) == "A dog.\n");
  }
  const std::string in = place.file("stdin");  // what is read, if nothing is named
  expect_refusal(translate_with_run(place, "--output " + in, "A dog.\n"), "is one of the files", 2);
  expect_refusal(translate_with_run(place, "'A dog.' --output " + place.file("out.gz")), "is not compressed", 2);
  expect_refusal(translate_with_run(place, "'A dog.' --output /dev/full"), "No space left on device");
  const std::string closed = program_file() + " --version >&- 2> " + place.file("errors");
  CHECK(WEXITSTATUS(std::system(closed.c_str())) == 1);
  CHECK_THAT(read_file(place.file("errors")), gradus::test::contains("Bad file descriptor"));
  const std::string full = program_file() + " translate --model " + place.file("run") +
                           " 'A dog.' > /dev/full 2> " + place.file("errors");
  CHECK(WEXITSTATUS(std::system(full.c_str())) == 1);
  CHECK(complaints_in(read_file(place.file("errors"))) == 1);
}

TEST_CASE("bad input: several files are one text, and messages name the file and its own line") {
  const Trained place("two-inputs");
  const std::string first = place.write("first", "A dog.\n\u72d7\n"),
                    second = place.write("second", "\xff\nA cat.\n\u72d7\nA man.");
  const Result both = translate_with_run(place, "", "A dog.\n\u72d7\n\nA cat.\n\u72d7\nA man.");
  for (const std::string more : {"", "--buffer 1 ", "--buffer 2 "}) {
    const Result r = translate_with_run(place, more + "--input " + first + " --input " + second);
    INFO(r.err);
    CHECK(r.out == both.out);
    CHECK(r.status == 1);
    CHECK(lines_in(lines_with(r.err, "gradus: " + second + ", line 1: not UTF-8")) == 1);
    CHECK(lines_in(lines_with(r.err, "warning: " + first + ", line 2 has parts that the model has never read")) ==
          1);
    CHECK(lines_in(lines_with(r.err, "warning: " + second + ", line 3 has parts that the model has never read")) ==
          1);
    CHECK(lines_in(lines_with(both.err, "warning: line 5 has parts that the model has never read")) == 1);
  }
  CHECK(translate_with_run(place, "--input " + second + " --input " + first).out != both.out);
  const Result numbered = translate_with_run(place, "--json --input " + first + " --input " + second);
  CHECK(numbered.out.find("\n{\"line\":6,\"source\":\"A man.\"") != std::string::npos);
  expect_refusal(translate_with_run(place, "--input " + first + " --input " + place.file("none")),
                 "cannot read " + place.file("none") + ": No such file or directory");
  expect_refusal(translate_with_run(place, "--input - --input -", "A dog."), "twice", 2);
}

TEST_CASE("bad input: many bad lines get ten messages and their number") {
  const Trained place("many-bad-lines");
  std::string lines;
  for (int i = 0; i < 25; ++i) lines += "\xff\n";
  const Result r = translate_with_run(place, "--buffer 4", lines);
  CHECK(r.status == 1);
  CHECK(lines_in(r.out) == 25);
  CHECK(lines_in(lines_with(r.err, "line 10: not UTF-8")) == 1);
  CHECK(complaints_in(r.err) == 11);
  CHECK(lines_in(lines_with(r.err, "gradus: 15 more lines are no text; --json names them all")) == 1);
}

TEST_CASE("bad input: one more bad line is one line; beside --paragraphs no hint names --json") {
  const Trained place("one-more-bad-line");
  std::string lines;
  for (int i = 0; i < 11; ++i) lines += "\xff\n";
  CHECK_THAT(translate_with_run(place, "", lines).err,
             gradus::test::contains("gradus: 1 more line is no text; --json names them"));
  CHECK_THAT(translate_with_run(place, "--paragraphs", lines).err,
             gradus::test::contains("gradus: 1 more line is no text\n"));
}

TEST_CASE("bad input: the lines of an argument are translated as those of a file") {
  const Trained place("lines-of-arguments");
  for (const std::string options : {"", "--paragraphs ", "--json "}) {
    const Result r = translate_with_run(place, options + "'A dog.\n\n- A cat.\r\nA dog.' 'A cat.\n' ''");
    CHECK(r.status == 0);
    CHECK(r.out == translate_with_run(place, options, "A dog.\n\n- A cat.\nA dog.\nA cat.\n\n").out);
    CHECK(lines_in(r.out) == 6);
    CHECK(lines_with(r.err, "sentences").empty());
  }
}

TEST_CASE("bad input: a sentence that is the name of a file gets a hint") {
  const Trained place("file-names");
  const std::string file = place.write("in.txt", "A dog.\n");
  const Result r = translate_with_run(place, file + " 'A cat.'");
  CHECK(r.status == 0);
  CHECK(lines_in(lines_with(
            r.err, "warning: " + file + " is the name of a file; --input " + file + " translates its lines")) == 1);
  CHECK(lines_with(translate_with_run(place, "'A dog.' " + place.path).err, "is the name of a file").empty());
  const Result explained = gradus_program(place, "explain --model " + place.file("run") + " " + file);
  CHECK(lines_in(lines_with(explained.err, "is the name of a file, and is explained as a sentence")) == 1);
}

TEST_CASE("bad input: a folder in which another process works is left alone by every command") {
  const Trained place("locked");
  const std::string folder = place.file("busy");
  const FolderLock lock(folder);
  for (const std::string& command : {"export --ctranslate2 " + folder, "average en-de en-de --output " + folder,
                                     "import " + std::string(GRADUS_GOLDEN) + "/import_relu --output " + folder,
                                     toy_training(folder, "--max-steps 1")}) {
    INFO(command);
    expect_refusal(gradus_program(place, command), folder + ": another process is working in this folder");
    CHECK(fs::is_empty(folder));
  }
}
