// A text that was written as a table: names of columns, and quotes of CSV.

#include "11_translator/training/table_text.hpp"

#include "chapters/11_translator/small_training.hpp"
#include "chapters/11_translator/toy.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
using Lines = std::vector<std::string>;

namespace {

const Lines source{"A dog runs.", "Two men play.", "A cat."}, target{"Ein Hund rennt.", "Zwei spielen.", "Eine."};

Lines faults_of(const LinePairs& lines) {
  Lines all;
  for (const std::string& fault : {fault_of_names(lines, "a.tsv"), fault_of_quotes(lines, "a.tsv")})
    if (!fault.empty()) all.push_back(fault);
  return all;
}

Lines faults_with(const std::string& first, const std::string& second) {
  LinePairs lines{source, target};
  lines.source.insert(lines.source.begin(), first), lines.target.insert(lines.target.begin(), second);
  return faults_of(lines);
}

}  // namespace

TEST_CASE("table text: a first line that names columns is said, and no pair of words is one") {
  CHECK(faults_of({source, target}).empty());
  CHECK(faults_of({}).empty());
  CHECK(faults_with("source", "target") ==
        Lines{"the first pair of a.tsv, \"source\" and \"target\", looks like names of columns, and is taken as "
              "sentences; if it is no pair, remove the line"});
  for (const auto& [first, second] :
       {std::pair{"SRC", "TGT"}, std::pair{"en", "de"}, std::pair{"English", "German"},
        std::pair{"source_sentence", "target sentence"}, std::pair{"\"en\"", "\"de\""}, std::pair{"en_US", "pt-BR"},
        std::pair{"text1", "text2"}, std::pair{"Deutsch", "Fran\u00e7ais"}, std::pair{"# source", "translation"}}) {
    INFO(first);
    CHECK(faults_with(first, second).size() == 1);
  }
  for (const auto& [first, second] :
       {std::pair{"Hi.", "Hallo."}, std::pair{"source", "Quelle"}, std::pair{"the source", "target"},
        std::pair{"No.", "It."}, std::pair{"1", "2"}, std::pair{"", ""}, std::pair{"de", "de"},
        std::pair{"text text text text text text text text text", "target"}}) {
    INFO(first);
    CHECK(faults_with(first, second).empty());
  }
  LinePairs later{source, target};
  later.source[1] = "source", later.target[1] = "target";
  CHECK(faults_of(later).empty());
}

TEST_CASE("table text: quotes of CSV are said, and those of people are not") {
  CHECK(faults_with("\"A \"\"dog\"\".\"", "Ein \u201eHund\u201c.") ==
        Lines{"a.tsv: quotes as a table in CSV has them, such as \"\\\"A \\\"\\\"dog\\\"\\\".\\\"\", are taken "
              "as text; a program that reads CSV removes them"});
  CHECK(faults_with("A dog.", "\"\"\"Ein\"\" Hund.\"").size() == 1);
  LinePairs all{source, target};
  for (Lines* side : {&all.source, &all.target}) {
    for (std::string& line : *side) line = '"' + line + '"';
  }
  all.source[0] = "A dog runs.", all.target[0] = "Ein Hund rennt.";  // the example is a cell in quotes
  CHECK_THAT(faults_of(all).at(0), gradus::test::contains("such as \"\\\"Two men play.\\\"\""));
  for (const char* own :
       {"\"Stop!\"", "\"Stop!\" and \"go!\"", "\"", "\"\"", "A \"\"dog\"\".", "\"A dog", "\"a\"b\""})
    CHECK(faults_with(own, own).empty());
}

TEST_CASE("table text: a side of numbers is said, and some numbers among sentences are not") {
  const Lines numbers{"0.93", "0.8", "\u2014"};
  CHECK(fault_of_numbers({source, target}, "training").empty());
  CHECK(fault_of_numbers({{}, {}}, "training").empty());
  CHECK(fault_of_numbers({{"", "1", "A cat."}, {"", "", ""}}, "training").empty());
  CHECK(fault_of_numbers({{"собака", "一只狗", "1"}, target}, "training").empty());
  CHECK(fault_of_numbers({numbers, target}, "training") ==
        "most training sources have no letter, such as \"0.93\"; if this is a column of numbers, take that of the "
        "sentences");
  CHECK_THAT(fault_of_numbers({source, numbers}, "validation"), gradus::test::contains("most validation targets"));
}

TEST_CASE("table text: a training says it of each part of its text, also of one that was split off") {
  const Playground place("table");
  const auto messages = [&](TrainingRequest r) {
    std::string said;
    TrainingListener listener;
    listener.warn = [&](const std::string& line) { said += line + "\n"; };
    r.max_steps = 1, r.overwrite = true;
    train(r, listener);
    return lines_with(said, "have no letter") + lines_with(said, "names of columns") +
           lines_with(said, "quotes as a table");
  };
  std::string text = "source\ttarget\n";
  const LinePairs lines = read_pairs(toy("train.en"), toy("train.de"));
  for (std::size_t i = 0; i < 60; ++i) text += lines.source[i] + "\t" + lines.target[i] + "\n";
  TrainingRequest r = small(place.file("run"));
  r.train_source = r.train_target = r.valid_source = r.valid_target = "";
  r.train_pairs = place.write("a.tsv", text), r.valid_split = 5;
  CHECK(lines_in(messages(r)) == 1);
  r.valid_split = 60;  // all pairs but one
  CHECK_THAT(messages(r), gradus::test::contains("the first pair of the part for validation, \"source\""));
  r.valid_split = 0, r.valid_pairs = r.train_pairs;
  CHECK(lines_in(messages(r)) == 2);
  const std::string pairs = text.substr(text.find('\n') + 1), quotes = "\"A \"\"dog\"\".\"\tEin Hund.\n";
  r.train_pairs = place.write("b.tsv", quotes + pairs), r.valid_pairs = "", r.valid_split = 60;
  CHECK_THAT(messages(r), gradus::test::contains("the part for validation: quotes"));
  r.train_pairs = place.write("c.tsv", quotes + quotes + quotes + pairs), r.valid_split = 30;
  CHECK(lines_in(messages(r)) == 1);  // both parts have them
  std::string scored;
  for (const std::string& line : lines.source) scored += "0.93\t" + line + "\n";
  r.train_pairs = place.write("e.tsv", scored);
  CHECK_THAT(messages(r), gradus::test::contains("most training sources have no letter, such as \"0.93\""));
  r.train_pairs = place.write("d.tsv", pairs), r.mix_share = 0.1;
  r.mix_source = place.write("old.en", "\"A \"\"dog\"\".\"\n"), r.mix_target = place.write("old.de", "Ein Hund.\n");
  CHECK_THAT(messages(r), gradus::test::contains(r.mix_source + " and " + r.mix_target + ": quotes"));
  CHECK(lines_in(messages(r)) == 1);
  TrainingRequest two = small(place.file("run"));
  two.train_source = place.write("en", "English\n" + read_file(toy("train.en")));
  two.train_target = place.write("de", "German\n" + read_file(toy("train.de")));
  CHECK_THAT(messages(two),
             gradus::test::contains("the first pair of " + two.train_source + " and " + two.train_target));
}
