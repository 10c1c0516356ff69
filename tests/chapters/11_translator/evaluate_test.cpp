// gradus score and gradus evaluate: several references, several systems, comparisons, and invalid files.

#include <sys/stat.h>

#include <cstdio>
#include <regex>

#include "11_translator/metrics/bootstrap.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

void refused(const Result& r, int status, const std::string& why) {
  INFO(r.err);
  CHECK(r.status == status);
  CHECK(r.out.empty());
  CHECK(lines_in(r.err) == 1);
  CHECK(r.err.find(why) != std::string::npos);
}

/// The lines of valid.de without some words: a system of known quality.
TextLines shortened_lines(std::size_t every) {
  TextLines lines;
  for (const std::string& line : read_lines(toy("valid.de"))) {
    std::istringstream words(line);
    std::string kept;
    std::size_t i = lines.size();
    for (std::string word; words >> word; ++i) {
      if (i % every != 0) kept += (kept.empty() ? "" : " ") + word;
    }
    lines.push_back(kept);
  }
  return lines;
}

std::string text_of(const TextLines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("score: several references and several systems, in files of any kind of line end") {
  const Playground place("score-several");
  const TextLines output = {"Ein Hund läuft über die Wiese.", "ZWEI FRAUEN reden am Tisch."},
                  first = {"Ein Hund rennt über die Wiese.", "Zwei Frauen sprechen."},
                  second = {"Ein Hund läuft.", "Zwei Frauen reden am Tisch."};
  const std::string a = place.write("a", text_of(output)), b = place.write("b", text_of(second)),
                    one = place.write("one", "\xef\xbb\xbf" + first[0] + "\r\n" + first[1] + "\r\n"),
                    two = place.write("two", second[0] + "\n" + second[1]);  // no end of the last line
  BleuOptions lower;
  lower.lowercase = true;
  const auto scored = [&](const TextLines& system, const BleuOptions& options) {
    return to_string(score_several(system, {first, second}, options)) + "\n";
  };
  const std::string references = " --references " + one + " --references " + two;
  CHECK(gradus_program(place, "score --hypotheses " + a + references).out == scored(output, {}));
  CHECK(gradus_program(place, "score --hypotheses " + a + " --references " + one + " " + two).out ==
        scored(output, {}));
  CHECK(gradus_program(place, "score --lowercase --hypotheses " + a + references).out == scored(output, lower));
  CHECK(scored(output, lower) != scored(output, {}));
  CHECK(gradus_program(place, "score --hypotheses " + a + " --hypotheses " + b + references).out ==
        a + "\n" + scored(output, {}) + "\n" + b + "\n" + scored(second, {}));
}

TEST_CASE("score --baseline: the figures of the library, a star where the difference is hardly chance") {
  const Playground place("score-baseline");
  const TextLines base = shortened_lines(7), close = shortened_lines(6), poor = shortened_lines(3),
                  right = read_lines(toy("valid.de"));
  const std::string names = " --baseline " + place.write("base", text_of(base)) + " --hypotheses " +
                            place.write("close", text_of(close)) + " " + place.write("poor", text_of(poor)) + " " +
                            place.write("same", text_of(base)) + " --references " + toy("valid.de") + " ";
  const auto check = [&](const std::string& more, const BootstrapOptions& options) {
    const Result r = gradus_program(place, "score" + names + more);
    REQUIRE(r.status == 0);
    for (const MetricResults& metric : paired_bootstrap({base, close, poor, base}, {right}, options)) {
      INFO(metric.name);
      const std::size_t at = r.out.find(metric.name + "|" + metric.signature + "\n");
      REQUIRE(at != std::string::npos);
      std::istringstream table(r.out.substr(at));
      std::string line;
      std::getline(table, line), std::getline(table, line);
      for (std::size_t s = 0; s < 4; ++s) {
        const BootstrapResult& one = metric.systems[s];
        std::getline(table, line);
        char figures[100], p[40] = "";
        std::snprintf(figures, sizeof figures, "  %6.2f  %6.2f ± %5.2f", one.score, one.mean, one.half_width);
        if (s > 0 && s < 3) std::snprintf(p, sizeof p, "  %6.4f%s", *one.p_value, *one.p_value < 0.05 ? " *" : "");
        const std::string wanted = std::string(figures) + (s == 3 ? "  no difference" : p);
        CHECK(line.substr(line.size() - std::min(line.size(), wanted.size())) == wanted);
      }
    }
    return r.out;
  };
  const std::string plain = check("", {});
  CHECK(plain.find("paired bootstrap, 1000 resamples of 40 lines\n") == 0);
  CHECK(plain.find(" *\n") != std::string::npos);                 // the poor one
  CHECK(std::regex_search(plain, std::regex("0\\.[0-9]{4}\n")));  // the close one
  BootstrapOptions fewer;
  fewer.resamples = 99;
  fewer.scoring.lowercase = true;
  CHECK(check("--resamples 99 --lowercase", fewer).find("|bs:99|seed:12345|case:lc|") != std::string::npos);
}

TEST_CASE("score, evaluate and others: no stream is read by two options") {
  const Playground place("two-readers");
  const std::string file = place.write("text", "a\n"), pipe = place.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto both = [&](const std::string& line, const std::string& why) {
    refused(gradus_program(place, line, "a\n"), 2, why + "it can be read only once; name a file instead");
  };
  const std::string stdin_twice = " both read the standard input, but ";
  both("score --hypotheses - --references -", "--hypotheses and --references" + stdin_twice);
  both("score --hypotheses /dev/stdin --references -", "--hypotheses and --references" + stdin_twice);
  both("score --hypotheses " + file + " --references - --references /dev/fd/0",
       "--references reads the standard input twice, but ");
  both("score --hypotheses " + file + " --baseline - --references -", "--references and --baseline" + stdin_twice);
  const std::string stuck = "timeout 20 " + program_file() + " score --hypotheses " + pipe + " --references ";
  REQUIRE(WEXITSTATUS(std::system((stuck + pipe + " 2>/dev/null").c_str())) == 2);  // else it waits for ever, 124
  both("score --hypotheses " + pipe + " --references " + pipe,
       "--hypotheses and --references both read " + pipe + ", but ");
  both("evaluate --source - --reference -", "--source and --reference" + stdin_twice);
  both("score-pairs --source - --target -", "--source and --target" + stdin_twice);
  const std::string run = place.file("run");
  both("train --train-source /dev/stdin --train-target /dev/stdin --valid-source " + file + " --valid-target " +
           file + " --output " + run,
       "--train-source and --train-target" + stdin_twice);
  both("train --config " + place.write("config", "train-source = /dev/stdin\nvalid-target = /dev/stdin\n") +
           " --train-target " + file + " --valid-source " + file + " --output " + run,
       "--train-source and --valid-target" + stdin_twice);
  CHECK_FALSE(std::filesystem::exists(run));
  CHECK(gradus_program(place, "score --hypotheses - --references " + file, "a\n").status == 0);
  CHECK(gradus_program(place, "score --hypotheses " + file + " --references " + file).status ==
        0);  // a file can be read twice
}

TEST_CASE("score and evaluate: empty files and files of another length are one clear line") {
  const Playground place("unequal");
  const std::string two = place.write("two", "a\nb\n"), one = place.write("one", "a\n"),
                    none = place.write("none", ""), mark = place.write("mark", "\xef\xbb\xbf"),
                    bad = place.write("bad", "a\nb\xff\n");
  for (const std::string& command :
       {"score --hypotheses " + two + " --references ", "evaluate --source " + two + " --reference "}) {
    refused(gradus_program(place, command + one), 1,
            two + " has 2 lines, but " + one + " has 1 line: line i of one must be");
    refused(gradus_program(place, command + two + " " + one), 1, two + " has 2 lines, but " + one + " has 1 line");
    refused(gradus_program(place, command + none), 1, none + ": empty, where sentences were expected");
    refused(gradus_program(place, command + mark), 1, mark + ": empty, where sentences were expected");
    refused(gradus_program(place, command + bad), 1, bad + ", line 2: not UTF-8 (byte 2 of the line)");
    refused(gradus_program(place, command + place.file("nowhere")), 1, "nowhere");
  }
  refused(gradus_program(place, "evaluate --source " + none + " --reference " + none), 1, "empty, where sentences");
  refused(gradus_program(place, "score --resamples 9 --hypotheses " + two + " --references " + two), 2,
          "--baseline");
  refused(gradus_program(place,
                         "score --resamples 0 --baseline " + two + " --hypotheses " + two + " --references " + two),
          2, "is not between 1 and");
  refused(gradus_program(place, "score --hypotheses " + two + " --references " + two + " --baseline " + one), 1,
          "has 1 line, but");
}

TEST_CASE("evaluate: its --output equals that of translate, and several references are scored as in score") {
  const Playground place("evaluate-output");
  const std::string model = " --model " + toy_model() + " ",
                    second = place.write("second", text_of(shortened_lines(4)));
  const std::string test =
      "evaluate --beam-size 2 --show 1 --source " + toy("valid.en") + " --reference " + toy("valid.de") + model;
  const Result r = gradus_program(place, test + "--reference " + second + " --output " + place.file("out"));
  REQUIRE(r.status == 0);
  CHECK(r.err == lines_with(r.err, "stops at"));  // too short for a progress line, and no terminal
  REQUIRE(gradus_program(place, "translate --beam-size 2 --input " + toy("valid.en") + " --output " +
                                    place.file("translated") + model)
              .status == 0);
  CHECK(read_file(place.file("out")) == read_file(place.file("translated")));
  const std::string scored = gradus_program(place, "score --hypotheses " + place.file("out") + " --references " +
                                                       toy("valid.de") + " " + second)
                                 .out;
  CHECK(r.out.substr(0, scored.size()) == scored);
  CHECK(scored.find("BLEU|nrefs:2|") == 0);
  CHECK(r.out.find("after the first reference's own words") != std::string::npos);
  CHECK(std::regex_search(r.out, std::regex("    reference  [^\n]*\n    reference  [^\n]*\n    output     ")));
  const Result piped = gradus_program(place, test + "--output -");
  CHECK(piped.out.find(read_file(place.file("out"))) == 0);
  const Result lower = gradus_program(place, test + "--lowercase");
  for (const char* name : {"BLEU|nrefs:1|case:lc|", "\nchrF2|nrefs:1|case:lc|", "\nchrF2++|nrefs:1|case:lc|"})
    CHECK(lower.out.find(name) != std::string::npos);
}

TEST_CASE("evaluate: a warning names the line also beyond the first lines that are translated together") {
  const Playground place("evaluate-lines");
  std::string source, reference;
  for (int i = 1; i <= 211; ++i) {
    if (i == 199) {
      for (int k = 0; k < 300; ++k) source += "dog ";
    }
    source += "A dog.\n", reference += "Ein Hund.\n";
  }
  const Result r = gradus_program(place, "evaluate --score-only --beam-size 1 --max-length 3 --threads 1 --model " +
                                             toy_model() + " --source " + place.write("s", source) +
                                             " --reference " + place.write("r", reference));
  CHECK(r.status == 0);
  CHECK(r.err.find("line 199 is longer than the model reads") != std::string::npos);
  CHECK(lines_in(r.out) == 1);
}

TEST_CASE("evaluate: an output that cannot be written is named before the work, and no input file is replaced") {
  const Playground place("evaluate-places");
  const std::string source = place.write("source", "A dog.\n"), reference = place.write("reference", "Ein Hund.\n");
  const std::string test = "evaluate --beam-size 1 --source " + source + " --reference " + reference + " --output ";
  refused(gradus_program(place, test + place.file("nowhere/out")), 1,
          "there is no folder " + place.file("nowhere"));
  refused(gradus_program(place, test + source), 2,
          "cannot write " + source + ": it is one of the files that are read");
  std::filesystem::create_symlink(reference, place.file("link"));
  refused(gradus_program(place, test + place.file("link")), 2, "is one of the files that are read");
  CHECK(read_file(reference) == "Ein Hund.\n");
  std::filesystem::copy(toy_model(), place.file("model"), std::filesystem::copy_options::recursive);
  for (const char* name : {"model.json", "weights.safetensors", "subwords.model"}) {
    const std::string file = place.file("model/") + name, model = " --model " + place.file("model");
    const std::string before = read_file(file);
    refused(gradus_program(place, test + file + model), 2, "is one of the files that are read");
    refused(gradus_program(place, "translate 'A dog.' --output " + file + model), 2,
            "is one of the files that are read");
    CHECK(read_file(file) == before);
  }
  refused(gradus_program(place, test + "/dev/full"), 1, "/dev/full");
}
