#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("--device: cpu and auto give the same here, and cuda is an error that says what is missing") {
  const Playground place("device");
  const std::string options = " --model " + toy_model() + " 'A dog runs.' ";
  const Result any = gradus_program(place, "translate" + options),
               cpu = gradus_program(place, "translate --device cpu" + options);
  CHECK(any.status == 0);
  CHECK(cpu.out == any.out);
  for (const std::string& command : {"translate" + options, "explain" + options, toy_training(place.file("run"))}) {
    const Result r = gradus_program(place, command + " --device cuda");
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.find("built without CUDA") != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(place.file("run")));  // nothing half-written
  CHECK(gradus_program(place, "translate --device gpu" + options).status == 2);
}

TEST_CASE("translate: no translation is longer than --max-length allows") {
  const Playground place("max-length");
  const std::string options = "translate --with-scores --model " + toy_model() + " 'A dog runs through the snow.' ";
  const Result two = gradus_program(place, options + "--max-length 2"), any = gradus_program(place, options);
  CHECK(two.status == 0);
  CHECK(two.out.size() < any.out.size());
}

TEST_CASE("translate, its JSON, explain and evaluate: they say that a translation stops at its longest length") {
  const Playground place("unfinished");
  const std::string model = " --model " + std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de ";
  const std::string line = "A dog runs through the snow.", file = place.write("in", line + "\n");
  const auto warned = [&](const std::string& words, const std::string& where) {
    const std::string warning =
        "the translation of " + where + " stops at the most tokens that it may have; its end is missing\n";
    const auto said = [&](const std::string& more) {
      return lines_with(gradus_program(place, words + model + more).err, "stops at");
    };
    CHECK(said("") == "");
    CHECK(said("--max-length 3") == "warning: " + warning);
  };
  warned("translate '" + line + "'", "line 1");
  warned("explain '" + line + "'", "the sentence");
  warned("evaluate --source " + file + " --reference " + file, "line 1");
  const auto codes = [&](const std::string& more) {
    return nlohmann::json::parse(gradus_program(place, "translate --json '" + line + "'" + model + more).out)
        .at("warnings");
  };
  CHECK(codes("").empty());
  CHECK(codes("--max-length 3").at(0).at("code") == "unfinished");
}

TEST_CASE("evaluate: of many translations without an end it names ten, and counts the others") {
  const Playground place("many-unfinished");
  std::string text;
  for (int i = 0; i < 13; ++i) text += "A dog runs.\n";
  const std::string file = place.write("in", text);
  const std::string err = gradus_program(place, "evaluate --beam-size 1 --max-length 2 --source " + file +
                                                    " --reference " + file + " --model " + toy_model())
                              .err;
  CHECK(lines_in(lines_with(err, "stops at")) == 10);
  CHECK_THAT(err, contains("3 more lines have the warning \"unfinished\"\n"));
}

TEST_CASE("translate: a sentence unlike those of the validation gets one warning") {
  const Playground place("unusual");
  std::filesystem::copy(toy_model(), place.file("model"));
  auto json = nlohmann::ordered_json::parse(read_file(toy_model() + "/model.json"));
  const double learnt = json.at("unusual_below");
  CHECK(learnt < 0);
  const auto warnings = [&](double limit) {
    json["unusual_below"] = limit;
    place.write("model/model.json", json.dump());
    const Result r = gradus_program(place, "translate --model " + place.file("model") + " 'A dog.' '' 'A cat.'");
    CHECK(r.status == 0);
    CHECK(lines_in(r.out) == 3);
    return lines_with(r.err, "unsure");
  };
  CHECK(warnings(-1e6).empty());
  const std::string all = warnings(0);  // no log probability is above 0
  CHECK(lines_in(all) == 2);
  CHECK(all.find("unsure of line 1") != std::string::npos);
  CHECK(all.find("unsure of line 3") != std::string::npos);
}

TEST_CASE("translate and explain: words without quotes are noticed") {
  const Playground place("quotes");
  const std::string model = " --beam-size 1 --model " + toy_model() + " ";
  const auto complaints = [&](const std::string& words) {
    const std::string err = gradus_program(place, "translate" + model + words).err;
    return err.find("in quotes") == std::string::npos ? 0 : lines_in(err);
  };
  const std::string all = "A dog runs";
  CHECK(gradus_program(place, "translate" + model + all).err.find("each argument is a sentence") == 9);
  CHECK(complaints("'" + all + "'") == 0);
  CHECK(complaints("dog") == 0);
  CHECK(complaints("dog 'a cat'") == 0);
  CHECK(gradus_program(place, "explain A dog" + model).err.find("in quotes") != std::string::npos);
}

TEST_CASE("explain, score-pairs and translate --json: one name for the end of a sentence") {
  const Playground place("end");
  const std::string source = place.write("source", "A dog.\n"), target = place.write("target", "Ein Hund.\n");
  for (const std::string& words :
       {std::string("explain 'A dog.' --beam-size 1"), std::string("translate --json 'A dog.' --beam-size 1"),
        "score-pairs --json --source " + source + " --target " + target}) {
    const std::string said = gradus_program(place, words + " --model " + toy_model()).out;
    INFO(words << '\n' << said);
    CHECK(said.find("<eos>") != std::string::npos);
    CHECK(said.find("</s>") == std::string::npos);
  }
}

TEST_CASE("explain and evaluate: they warn of a sentence as translate does") {
  const Playground place("warnings");
  std::filesystem::copy(toy_model(), place.file("model"));
  auto json = nlohmann::ordered_json::parse(read_file(toy_model() + "/model.json"));
  const std::string model = " --beam-size 1 --model " + place.file("model") + " ";
  const auto limit = [&](double value) {
    json["unusual_below"] = value;
    place.write("model/model.json", json.dump());
  };
  std::string words;
  for (int i = 0; i < 1000; ++i) words += "dog ";
  limit(-1e6);
  CHECK(lines_with(gradus_program(place, "explain 'A dog.'" + model).err, "unsure").empty());
  const Result cut = gradus_program(place, "explain '" + words + "'" + model);
  CHECK(cut.status == 0);
  CHECK(lines_in(lines_with(cut.err, "longer than")) == 1);
  CHECK(cut.err.find("the sentence is longer than the model reads") != std::string::npos);
  const std::string source = place.write("source", "A dog.\n" + words + "\n"),
                    reference = place.write("to", "a\nb\n");
  const Result scored = gradus_program(place, "evaluate --source " + source + " --reference " + reference + model);
  CHECK(scored.status == 0);
  CHECK(lines_in(lines_with(scored.err, "longer than")) == 1);
  CHECK(scored.err.find("line 2 is longer than the model reads") != std::string::npos);
  limit(0);  // no log probability is above 0
  const Result unusual = gradus_program(place, "explain 'A dog.'" + model);
  CHECK(lines_in(lines_with(unusual.err, "unsure")) == 1);
  CHECK(unusual.err.find("unsure of the sentence") != std::string::npos);
  const Result signs =
      gradus_program(place, "explain '?!' --model " + std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  CHECK(lines_in(lines_with(signs.err, "the sentence has no letter")) == 1);
}

TEST_CASE("info and explain: texts of a model cannot send commands to the terminal") {
  const Playground place("escapes");
  const auto is_plain = [](const std::string& text) {
    return text.find('\x1b') == std::string::npos && text.find("\u009b") == std::string::npos;
  };
  std::filesystem::copy(toy_model(), place.file("model"));
  auto json = nlohmann::ordered_json::parse(read_file(toy_model() + "/model.json"));
  json["notes"] = {{"a\x1b[31m", "red\n\u009b32m"}, {"list", {"\u009b33m"}}, {"größe", "\x7f"}};
  place.write("model/model.json", json.dump());
  const Result info = gradus_program(place, "info " + place.file("model"));
  CHECK(info.status == 0);
  CHECK(is_plain(info.out));
  for (const char* part : {"a\\u001b[31m", "red\\n\\u009b32m", "[\"\\u009b33m\"]", "größe", "\\u007f\n"}) {
    INFO(part);
    CHECK(info.out.find(part) != std::string::npos);
  }

  std::string odd;  // translations that teach the model the terminal's escape; a sentence may not have it
  for (std::size_t i = 0; i < split_lines(read_file(toy("train.en")), "train.en").size(); ++i) odd += "\u009b31m\n";
  const std::string target = place.write("target", odd);
  REQUIRE(
      gradus_program(place, toy_training(place.file("run"), "--max-steps 30 --train-target " + target)).status ==
      0);
  const Result explained =
      gradus_program(place, "explain 'A dog runs.' --max-length 20 --model " + place.file("run"));
  CHECK(explained.status == 0);
  CHECK(is_plain(explained.out));
  CHECK(explained.out.find("\\u009b") != std::string::npos);
}

TEST_CASE("translate: attention as a page, a picture and text") {
  const Playground place("attention");
  const std::string options =
      "translate --beam-size 1 --model " + toy_model() + " 'A dog runs.' 'A cat.' --attention ";
  const Result text = gradus_program(place, options + "-");
  CHECK(text.status == 0);
  CHECK(split_lines(text.out, "output").size() > 10);
  CHECK(gradus_program(place, options + place.file("a.html")).status == 0);
  const std::string page = read_file(place.file("a.html"));
  CHECK(page.find("A dog runs.") != std::string::npos);
  CHECK(page.find("A cat.") != std::string::npos);
  const Result svg = gradus_program(place, options + place.file("a.svg"));
  CHECK(svg.status == 0);
  CHECK(read_file(place.file("a.svg")).find("<svg") != std::string::npos);
  CHECK(svg.err.find("shows the first sentence") != std::string::npos);
  const std::string one = "translate --beam-size 1 --model " + toy_model() + " 'A dog runs.' --attention ";
  CHECK(gradus_program(place, one + place.file("one.svg")).err.find("shows the first") == std::string::npos);
  CHECK(read_file(place.file("one.svg")) == read_file(place.file("a.svg")));
  CHECK(gradus_program(place, options + place.file("a.png")).status == 2);
}

TEST_CASE("translate: files that cannot be written are reported before the work") {
  const Playground place("places");
  const std::string options = "translate --beam-size 1 --model " + toy_model() + " ";
  for (const std::string name : {"--attention ", "--output "}) {
    const Result r = gradus_program(place, options + "'A dog.' " + name + place.file("nowhere/a.html"));
    CHECK(r.status == 1);
    CHECK(r.out.empty());
    CHECK(r.err.find("there is no folder " + place.file("nowhere")) != std::string::npos);
  }
  const std::string page = place.file("a.html");
  CHECK(gradus_program(place, options + "'A dog.' --attention " + page + " --output " + page).status == 2);
  const Result empty = gradus_program(place, options + "'' --attention " + page);
  CHECK(empty.status == 0);
  CHECK(empty.err.find("no picture in " + page) != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(page));
}

TEST_CASE("translate and score: - is the standard input, or output") {
  const Playground place("dash");
  const std::string options = "translate --beam-size 1 --model " + toy_model() + " ";
  const Result plain = gradus_program(place, options + "'A dog runs.'");
  const Result r = gradus_program(place, options + "--input - --output -", "A dog runs.\n");
  CHECK(r.status == 0);
  CHECK(r.out == plain.out);
  CHECK_FALSE(std::filesystem::exists("-"));
  CHECK(gradus_program(place, options + "--input - 'A dog.'", "A cat.\n").status == 2);
  const std::string text = "Ein Hund rennt durch den Schnee.\n";
  const Result same = gradus_program(place, "score --hypotheses - --references " + place.write("text", text), text);
  CHECK(same.out.find(" = 100.00 ") != std::string::npos);
}

TEST_CASE("evaluate: prints the score of translate and score, and the teacher-forced one beside it") {
  const Playground place("evaluate");
  const std::string model = " --model " + toy_model() + " ";
  const Result r = gradus_program(
      place, "evaluate --show 2 --source " + toy("valid.en") + " --reference " + toy("valid.de") + model);
  REQUIRE(r.status == 0);
  REQUIRE(gradus_program(place, "translate --input " + toy("valid.en") + " --output " + place.file("out") + model)
              .status == 0);
  const Result scored =
      gradus_program(place, "score --hypotheses " + place.file("out") + " --references " + toy("valid.de"));
  CHECK(r.out.substr(0, scored.out.size()) == scored.out);
  std::smatch parts;
  REQUIRE(std::regex_search(r.out, parts, std::regex("perplexity ([0-9.]+); ([0-9.]+) %")));
  CHECK(std::stod(parts[1]) > 1);
  CHECK(std::stod(parts[2]) > 0);
  REQUIRE(gradus_program(place, "translate --beam-size 1 --input " + toy("valid.en") + " --output " +
                                    place.file("out") + model)
              .status == 0);
  const std::string greedy =
      gradus_program(place, "score --hypotheses " + place.file("out") + " --references " + toy("valid.de")).out;
  REQUIRE(std::regex_search(greedy, parts, std::regex("= ([0-9.]+) ")));
  CHECK(r.out.find(", " + parts[1].str() + " of greedy translations") != std::string::npos);
  for (const char* title : {"\nbest\n", "\nworst\n", "\nat random\n"})
    CHECK(r.out.find(title) != std::string::npos);
  CHECK(std::count(r.out.begin(), r.out.end(), '\n') > 6 * 5);
}

TEST_CASE("explain: pieces, operations and probabilities of a translation") {
  const Playground place("explain");
  const std::string model = " --model " + toy_model() + " ";
  const Result r = gradus_program(place, "explain 'A dog runs.'" + model);
  REQUIRE(r.status == 0);
  for (const char* part : {"lookup", "source_embedding", "encoder.0.self_attention.wqkv", "attention, causal",
                           "decoder.0.cross_attention.wo", "layer_norm", "relu", "product"}) {
    INFO(part);
    CHECK(r.out.find(part) != std::string::npos);
  }
  const std::string translation = gradus_program(place, "translate 'A dog runs.'" + model).out;
  CHECK(r.out.substr(r.out.size() - translation.size()) == translation);
  CHECK(gradus_program(place, "explain ''" + model).status == 2);
}

TEST_CASE("--model: a bundled model by its languages, unless there is a folder of that name") {
  const Playground place("named");
  const Result none = gradus_program(place, "info"), name = gradus_program(place, "info en-de");
  CHECK(none.status == 0);
  CHECK(name.out == none.out);
  const Result other = gradus_program(place, "info de-en");
  CHECK(other.status == 0);
  CHECK(other.out != none.out);
  CHECK(gradus_program(place, "translate --model de-en 'Ein Hund rennt durch den Schnee.'").out.find("dog") !=
        std::string::npos);
  CHECK(gradus_program(place, "translate --model de-fr 'Ein Hund.'").status == 1);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(place.path);
  std::filesystem::copy(toy_model(), "de-en", std::filesystem::copy_options::recursive);
  const Result own = gradus_program(place, "info de-en");
  std::filesystem::current_path(before);
  CHECK(own.out.find("model                        de-en\n") == 0);
  CHECK(own.out.find("d_model                      16") != std::string::npos);
}
