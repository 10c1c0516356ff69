#include <nlohmann/json.hpp>
#include <utility>

#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Requires one clear line on the standard error stream, nothing on the other, and this exit status.
void expect_refusal(const Result& r, int status, const std::string& about) {
  INFO(r.err);
  CHECK(r.status == status);
  CHECK(r.out.empty());
  const std::size_t at = r.err.rfind("gradus: ");
  REQUIRE(at != std::string::npos);
  CHECK(lines_in(r.err.substr(at)) == 1);
  CHECK(r.err.find(about, at) != std::string::npos);
}

/// The part of each line before the first tab.
std::vector<std::string> numbers(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string& line : split_lines(text, "output")) found.push_back(line.substr(0, line.find('\t')));
  return found;
}

}  // namespace

TEST_CASE("program: trains on the toy corpus, translates, scores") {
  const Playground place("whole");
  const Result trained = gradus_program(place, toy_training(place.file("run")));
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  CHECK(trained.out.empty());
  CHECK(trained.err.find("validation loss") != std::string::npos);

  const Result again = gradus_program(place, toy_training(place.file("run")));
  CHECK(again.status == 0);
  CHECK(again.err.find("finished") != std::string::npos);

  const std::string model = "--model " + place.file("run");
  const Result lines = gradus_program(place, "translate " + model, "A dog runs.\n\nA cat sleeps.");
  CHECK(lines.status == 0);
  CHECK(lines_in(lines.out) == 3);  // an empty line keeps its place
  CHECK(lines.out.find("\n\n") != std::string::npos);
  const Result arguments = gradus_program(place, "translate " + model + " 'A dog runs.' '' 'A cat sleeps.'");
  CHECK(arguments.out == lines.out);
  const std::string input = place.write("in.txt",
                                        "\xEF\xBB\xBF"
                                        "A dog runs.\r\n\r\nA cat sleeps.\r\n");
  CHECK(gradus_program(place, "translate " + model + " --input " + input + " --output " + place.file("out.txt"))
            .status == 0);
  CHECK(read_file(place.file("out.txt")) == lines.out);
  CHECK(gradus_program(place, "translate " + model + " --beam-size 1 --attention - 'A dog runs.'").status == 0);

  const std::string references = place.write("references", "Ein Hund rennt.\nEine Katze schläft.\n");
  const Result scores = gradus_program(place, "score --hypotheses " + references + " --references " + references);
  CHECK(scores.status == 0);
  CHECK(scores.out.find("BLEU") != std::string::npos);
  CHECK(scores.out.find("100.00") != std::string::npos);
}

TEST_CASE("program: a long line is cut with one warning that names it") {
  const Playground place("long");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 2")).status == 0);
  std::string words;
  for (int i = 0; i < 10000; ++i) words += "dog ";
  const Result r = gradus_program(place, "translate --beam-size 1 --model " + place.file("run") + " --input " +
                                             place.write("in", "A dog.\n" + words + "\nA cat.\n"));
  CHECK(r.status == 0);
  CHECK(lines_in(r.out) == 3);
  CHECK(lines_with(r.err, "longer than") == lines_with(r.err, "line 2 is longer than"));
  CHECK(lines_in(lines_with(r.err, "longer than")) == 1);
}

TEST_CASE("program: a stopped and continued training gives the same model bytes as one run") {
  const Playground place("resume");
  REQUIRE(gradus_program(place, toy_training(place.file("one"), "--threads 2")).status == 0);
  const Result first = gradus_program(place, toy_training(place.file("two"), "--max-steps 3 --threads 1"));
  CHECK(first.status == 0);
  CHECK(first.err.find("stopped; without --max-steps, or with a larger one") != std::string::npos);
  const Result second = gradus_program(place, toy_training(place.file("two"), "--threads 3"));
  CHECK(second.status == 0);
  CHECK(second.err.find("going on after step 3") != std::string::npos);
  for (const char* name : {"weights.safetensors", "subwords.model", "model.json", "checkpoint.safetensors"}) {
    INFO(name);
    CHECK(read_file(place.file(std::string("one/") + name)) == read_file(place.file(std::string("two/") + name)));
  }
}

TEST_CASE("program: an interrupt finishes the step, saves, and exits 130") {
  const Playground place("interrupt");
  const Running training(place, toy_training(place.file("run"), "--epochs 3000 --valid-every 1"));
  training.wait_until([&] { return training.has_output("translation"); });  // of the first step's validation
  training.signal(SIGINT);
  CHECK(WEXITSTATUS(training.end()) == 130);
  CHECK(training.has_output("interrupted and saved"));
  CHECK(gradus_program(place, "translate --model " + place.file("run") + " 'A dog.'").status == 0);
}

TEST_CASE("program: a training continues if the program that reads its messages ends") {
  const Playground place("reader");
  const std::string slow = toy_training(place.file("run"), "--epochs 3000 --valid-every 1");  // something to say
  const std::string command = "(timeout --foreground --preserve-status --signal=INT 3 " + program_file() + " " +
                              slow + "; echo $? >" + place.file("status") + ") 2>&1 | head -1 >" +
                              place.file("head");
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 0);
  CHECK(lines_in(read_file(place.file("head"))) == 1);
  CHECK(read_file(place.file("status")) == "130\n");
  CHECK(gradus_program(place, toy_training(place.file("run"), "--epochs 3000 --valid-every 1 --max-steps 1"))
            .err.find("going on after step") != std::string::npos);
}

TEST_CASE("program: translations come while input still arrives, and end when their reader ends") {
  const Playground place("part-by-part");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 2")).status == 0);
  std::string lines;
  for (int i = 0; i < 400; ++i) lines += i % 100 == 7 ? "\n" : "A dog runs " + std::to_string(i) + ".\n";
  const std::string input = place.write("in", lines);
  const std::string options =
      "translate --beam-size 2 --n-best 2 --max-length 20 --threads 1 --model " + place.file("run");
  const Result whole = gradus_program(place, options + " --input " + input + " --output " + place.file("out"));
  CHECK(whole.out.empty());
  const Result file = gradus_program(place, options + " --input " + input),
               pipe = gradus_program(place, options, lines);
  CHECK(file.status == 0);
  CHECK(numbers(file.out) == numbers(read_file(place.file("out"))));
  CHECK(numbers(file.out).back() == "400");
  CHECK(pipe.out == file.out);

  // The writer of the lines ends only after it has seen a translation.
  const std::string seen = place.file("seen");
  const std::string command = "(cat " + input + "; for i in $(seq 300); do test -s " + seen +
                              " && exit; sleep 0.1; done; touch " + place.file("late") + ") | " + program_file() +
                              " " + options + " | head -1 >" + seen;
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 0);
  CHECK(lines_in(read_file(seen)) == 1);
  CHECK_FALSE(std::filesystem::exists(place.file("late")));
}

TEST_CASE("program: a different run in the folder is named, not overwritten") {
  const Playground place("different");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 1")).status == 0);
  const std::string before = read_file(place.file("run/checkpoint.safetensors"));
  expect_refusal(gradus_program(place, toy_training(place.file("run"), "--seed 2 --label-smoothing 0.2")), 2,
                 "--seed 2 here, 1 in the run; --label-smoothing 0.2 here, 0.1 in the run");
  CHECK(read_file(place.file("run/checkpoint.safetensors")) == before);
}

TEST_CASE("program: bad text is refused in one line, and nothing is half-written") {
  const Playground place("bad-text");
  const std::string good = place.write("good", "A dog.\nA cat.\n");
  const auto train_on = [&](const std::string& source, const std::string& target, const std::string& more = "") {
    Result r =
        gradus_program(place, "train --train-source " + source + " --train-target " + target + " --valid-source " +
                                  good + " --valid-target " + good + more + " --output " + place.file("run"));
    CHECK_FALSE(std::filesystem::exists(place.file("run/model.json")));
    return r;
  };
  expect_refusal(train_on(place.file("missing"), good), 1, "missing");
  expect_refusal(train_on(place.path, good), 1, place.path);
  expect_refusal(train_on(place.write("empty", ""), good), 1, "empty");
  expect_refusal(train_on(place.write("three", "a\nb\nc\n"), good), 1, "3");
  expect_refusal(train_on(place.write("latin", "gr\xFC\xDF\nb\n"), good), 1, "UTF-8");
  expect_refusal(train_on(place.write("nul", std::string("a\0b\nc\n", 6)), good), 1, "NUL");
  expect_refusal(train_on(good, good, " --vocab-size 6"), 1, "vocab");  // less than the letters
  expect_refusal(gradus_program(place, "score --hypotheses " + good + " --references " + place.file("three")), 1,
                 "3");
  expect_refusal(gradus_program(place, "score --hypotheses " + place.file("nowhere") + " --references " + good), 1,
                 "nowhere");
}

TEST_CASE("program: help, with or without a command") {
  const Playground place("help");
  CHECK(gradus_program(place, "help").out == gradus_program(place, "--help").out);
  CHECK(gradus_program(place, "help train").out == gradus_program(place, "train --help").out);
  expect_refusal(gradus_program(place, "help trian"), 2, "did you mean train?");
}

TEST_CASE("program: impossible choices are refused with status 2") {
  const Playground place("bad-options");
  const std::pair<const char*, const char*> choices[] = {
      {"--d-model 15", "even"},
      {"--heads 3", "heads"},
      {"--layers 0", "layer"},
      {"--d-model 0", "--d-model is 0, but must be between 2 and 16384"},
      {"--epochs 0", "epochs"},
      {"--schedule noam", "noam"},
      {"--norm both", "norm"},
      {"--dropout 1.5", "dropout"},
      {"--learning-rate -1", "rate"},
      {"--vocab-size 2", "vocab"},
      {"--no-such-option 1", "no-such-option"}};
  for (const auto& [bad, about] : choices) {
    INFO(bad);
    const Result r = gradus_program(place, toy_training(place.file("run"), bad));
    expect_refusal(r, 2, about);
    CHECK_FALSE(std::filesystem::exists(place.file("run/model.json")));
  }
  CHECK(gradus_program(place, "").status == 2);
  CHECK(gradus_program(place, "translate --beam-size 0 a").status == 2);
  CHECK(gradus_program(place, "--help").status == 0);
  CHECK(gradus_program(place, "--version").out.find("BLAS") != std::string::npos);
}

TEST_CASE("program: a model that is missing, foreign, truncated or mixed is refused in one line") {
  const Playground place("bad-model");
  expect_refusal(gradus_program(place, "translate --model " + place.file("none") + " a"), 1, "none");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 1")).status == 0);
  const auto translate = [&] {
    return gradus_program(place, "translate --model " + place.file("run") + " 'A dog.'");
  };
  REQUIRE(translate().status == 0);
  const auto with = [&](const std::string& name, const std::string& bytes, const std::string& about) {
    const std::string kept = read_file(place.file("run/" + name));
    place.write("run/" + name, bytes);
    expect_refusal(translate(), 1, about);
    place.write("run/" + name, kept);
  };
  const std::string weights = read_file(place.file("run/weights.safetensors"));
  with("weights.safetensors", weights.substr(0, weights.size() / 2), "weights.safetensors");
  with("weights.safetensors", "not a model at all", "weights.safetensors");
  with("weights.safetensors", "", "weights.safetensors");
  with("subwords.model", "no subwords", "subwords.model");
  with("model.json", "{}", "model.json");
  with("model.json", "", "model.json");
  std::string json = read_file(place.file("run/model.json"));
  const auto at = json.find("\"d_model\": 16");
  REQUIRE(at != std::string::npos);
  with("model.json", json.substr(0, at) + "\"d_model\": 32" + json.substr(at + 13), "shape");
  with("model.json", json.substr(0, at) + "\"d_model\": 18446744073709551615" + json.substr(at + 13), "d_model");
  REQUIRE(translate().status == 0);
}

TEST_CASE("program: a log may be in the run's folder, and a refused training leaves none") {
  const Playground place("log");
  const auto train = [&](const std::string& log, const std::string& more) {
    return gradus_program(place, toy_training(place.file("run"), more + " --log-json " + log));
  };
  const std::string log = place.file("run/log.jsonl"), other = place.file("other");
  CHECK(train(log, "--max-steps 2").status == 0);
  CHECK(lines_in(read_file(log)) >= 3);
  CHECK(read_file(log).find("\"stopped\"") != std::string::npos);
  expect_refusal(train(other, "--heads 5"), 2, "heads");
  expect_refusal(train(other, "--seed 9"), 2, "seed");
  CHECK_FALSE(std::filesystem::exists(other));
  const std::string text = place.write("text", "A dog.\n");
  expect_refusal(train(text, "--max-steps 3"), 1, "is no log of a training");
  CHECK(read_file(text) == "A dog.\n");
  for (const std::string& bad : {place.path, place.file("no/where"), place.file("run/no/where")}) {
    const Result r = train(bad, "--overwrite");
    expect_refusal(r, 1, bad + ": cannot be written");
    CHECK(lines_in(r.err) == 1);  // before it reports what it reads
  }
  CHECK(std::filesystem::exists(place.file("run/checkpoint.safetensors")));
}

TEST_CASE("program: the command in the history can be run unchanged, and trains the same model") {
  const Playground place("command");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--threads 1")).status == 0);
  std::string command;
  const auto history = nlohmann::json::parse(read_file(place.file("run/history.json")));
  for (const auto& word : history.at("command")) {
    command += command.empty() ? " " : " '" + word.get<std::string>() + "'";  // but for the program's name
  }
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(place.path);
  const Result again = gradus_program(place, command);
  std::filesystem::current_path(before);
  INFO(again.err);
  CHECK(again.status == 0);
  for (const char* name : {"/weights.safetensors", "/history.json"}) {
    CHECK(read_file(place.file("DIR") + name) == read_file(place.file("run") + name));
  }
}
