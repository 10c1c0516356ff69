// translate --paragraphs: the sentences of a line have the translations that they have alone.

#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Translations of sentences, each a line of its own.
std::vector<std::string> alone(const Playground& place, const std::string& options,
                               const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  const Result r = gradus_program(place, "translate " + options + " --input " + place.write("alone", text));
  REQUIRE(r.status == 0);
  return split_lines(r.out, "out");
}

}  // namespace

TEST_CASE("paragraphs: sentences, spaces, blank lines, addresses and code come back in their places") {
  const Playground place("paragraphs");
  for (const std::string options : {"", "--beam-size 1 --max-length 4"}) {
    const auto t = alone(place, options,
                         {"A dog runs through the snow.", "Two men are playing guitar.", "A girl is reading",
                          "in a park.", "A boy jumps!", "Children are playing soccer."});
    const std::string text =
        "A dog runs through the snow.  Two men are playing guitar.\n\n"
        "- A girl is reading https://a.org/B.c in a park.\n"
        "3.5\n```\nA dog. runs(\n```\n"
        "\t A boy jumps! `x = y. Z` Children are playing soccer.\n";
    const std::string expected = t[0] + "  " + t[1] + "\n\n- " + t[2] + " https://a.org/B.c " + t[3] +
                                 "\n3.5\n```\nA dog. runs(\n```\n\t " + t[4] + " `x = y. Z` " + t[5] + "\n";
    const std::string input = place.write("text", text);
    for (const std::string more : {"--threads 1", "--threads 2 --buffer 1", "--buffer 2"}) {
      const Result r =
          gradus_program(place, "translate --paragraphs " + options + " " + more + " --input " + input);
      CHECK(r.status == 0);
      CHECK(r.out == expected);
      CHECK(r.err.find("holds 2 sentences") == std::string::npos);
    }
    CHECK(gradus_program(place, "translate " + options + " --input " + input).out != expected);
  }
}

TEST_CASE("paragraphs: a fence that is open ends with its file; lines that are no text are named") {
  const Playground place("paragraphs-files");
  const std::string one = place.write("one", "```\nA dog runs."), two = place.write("two", "A dog runs.\nA \xff\n");
  const std::string translation = alone(place, "", {"A dog runs."})[0];
  const Result r = gradus_program(place, "translate --paragraphs --input " + one + " --input " + two);
  CHECK(r.status == 1);
  CHECK(r.out == "```\nA dog runs.\n" + translation + "\n\n");
  CHECK_THAT(r.err, contains(two + ", line 2: "));
  CHECK(gradus_program(place, "translate --paragraphs 'A dog runs. A dog runs.' '7'").out ==
        translation + " " + translation + "\n7\n");
}

TEST_CASE("paragraphs: what belongs to one sentence is refused beside it") {
  const Playground place("paragraphs-refused");
  for (const std::string more : {"--json", "--with-scores", "--alignment", "--attention a.html", "--n-best 2"})
    expect_refusal(gradus_program(place, "translate --paragraphs 'A dog.' " + more),
                   "leave " + more.substr(0, more.find(' ')) + " out", 2);
}
