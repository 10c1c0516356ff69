// `gradus train` from a user's view: help, files of options, errors, output.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "chapters/11_translator/word_training.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The output that a user sees on a terminal, also where this test has none.
std::string on_terminal(const std::string& command) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string text;
  char block[4096];
  for (ssize_t n = 0; (n = read(terminal, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  waitpid(child, nullptr, 0);
  close(terminal);
  return text;
}

}  // namespace

TEST_CASE("train: help shows the defaults") {
  const Playground place("help");
  const std::string help = gradus_program(place, "train --help").out;
  for (const char* part : {"--d-model N", "[128]", "--adam-beta2 X", "[0.98]", "--tied,--untied", "[true]",
                           "[base]", "--dump-config"}) {
    INFO(part);
    CHECK(contains(help, part));
  }
}

TEST_CASE("train: a mistyped command or option gets a suggestion") {
  const Playground place("mistyped");
  expect_usage_error(gradus_program(place, "trian --output x"), "did you mean train?");
  expect_usage_error(gradus_program(place, "train --d-modle 64 --output x"),
                     "there is no option --d-modle; did you mean --d-model?");
  expect_usage_error(gradus_program(place, "train --optimiser=sgd"), "did you mean --optimizer?");
  expect_usage_error(gradus_program(place, "train --colour red"), "there is no option --colour (");
  expect_usage_error(gradus_program(place, "train sentence"), "'sentence' was not expected");
  expect_usage_error(gradus_program(place, "--versio"), "did you mean --version?");
  expect_usage_error(gradus_program(place, ""), "a command is missing (");
  expect_usage_error(gradus_program(place, "translate Hi --threads"), "--threads needs a value (");
  expect_usage_error(gradus_program(place, "translate Hi --device gpu"), "'gpu' is none of: auto, cpu, cuda");
  expect_usage_error(gradus_program(place, "completion tcsh"), "'tcsh' is none of: bash, zsh, fish");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "# my own\nd-modle = 64\n")),
                     "did you mean --d-model?");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "d-model 64\n")), "c:1: ");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "seed = 1\nseed = 2\n")),
                     "c:2: seed is set twice");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "epochs = many\n")), "epochs");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "overwrite = true\n")),
                     "overwrite belongs on the command line, as --overwrite");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "threads = 1\n")), "as --threads");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "--epochs = 3\n")),
                     "without dashes");
  expect_usage_error(gradus_program(place, "train --config " + place.write("c", "epochs =\n")), "epochs");
  expect_usage_error(gradus_program(place, "train --config a --config b"), "--config");
  expect_usage_error(gradus_program(place, "train --epochs ''"), "--epochs: expected a number");
  expect_usage_error(gradus_program(place, "--threads 2 train"),
                     "belongs after the command: gradus train --threads");
}

TEST_CASE("train: a line of a file of options that the file itself leaves without effect is warned of") {
  const Playground place("idle");
  const auto said = [&](const std::string& text, const std::string& more = "") {
    const Result r = gradus_program(place, "train --dump-config --config " + place.write("c", text) + more);
    CHECK(r.status == 0);
    return r.err;
  };
  for (const char* line : {"momentum = 0.5", "min-frequency = 9", "mix-share = 0.3", "decay-all = true",
                           "init-sigma = 0.5", "plateau-factor = 0.3", "schedule = constant\ndecay-steps = 4",
                           "batch-sentences = 9\nbatch-tokens = 300"}) {
    const std::string text = std::string(line), last = text.substr(text.rfind('\n') + 1);
    INFO(text);
    const std::string warning = said(text + "\n");
    CHECK(lines_in(warning) == 1);
    CHECK(contains(warning,
                   "warning: " + place.file("c") + ": " + last.substr(0, last.find(' ')) + " has no effect"));
  }
  const Result files = gradus_program(place, "train --output " + place.file("run") + " --config " +
                                                 place.write("c", "train = a\nvalid = b\nsource-lang = xx\n"));
  CHECK(contains(files.err, "source-lang has no effect: --source-lang is for --data"));
  CHECK(said("optimizer = sgd\nmomentum = 0.5\n", " --optimizer adam").empty());  // the command line's choice
  CHECK(said("momentum = 0.5\n", " --optimizer sgd").empty());
  CHECK(said("source-lang = xx\n").empty());
  CHECK(said("batch-tokens = 300\n", " --batch-sentences 9").empty());
  const auto refused = [&](const std::string& text, const std::string& about) {
    expect_usage_error(gradus_program(place, "train --config " + place.write("c", text)), about);
  };
  refused("lowercase = true\nno-lowercase = true\n", "c: lowercase and no-lowercase set the same choice");
  refused("tied = false\nuntied = false\n", "c: tied and untied set the same choice");
  refused("output = r2 # my run\n", "c:1: a comment needs a line of its own");
  refused("seed = 1\rcolour = red\r", "there is no option colour");
}

TEST_CASE(
    "train: what --dump-config prints, --config reads; the command line wins, then the file, then the preset") {
  const Playground place("config");
  const auto dump = [&](const std::string& options) {
    const Result r = gradus_program(place, "train --dump-config " + options);
    INFO(r.err);
    CHECK(r.status == 0);
    return r.out;
  };
  CHECK(contains(dump(""), "\nffn = 512\n"));
  CHECK(contains(dump("--preset quick"), "\nffn = 256\n"));
  const std::string file =
      place.write("mine", dump("--preset quick --ffn 77 --optimizer sgd --momentum 0.5 --untied --seed 7"));
  CHECK(contains(read_file(file), "momentum = 0.5\n"));
  CHECK(contains(read_file(file), "tied = false\n"));
  CHECK_FALSE(contains(read_file(file), "adam"));
  CHECK(dump("--config " + file) == read_file(file));
  CHECK(contains(dump("--config " + file + " --preset base --ffn 88"), "\nffn = 88\n"));
  CHECK(contains(dump("--config " + file + " --preset base"), "\nffn = 77\n"));
  CHECK(contains(dump("--config " + file + " --optimizer adam"), "adam-beta1 = 0.9\n"));
  const std::string sentences = dump("--config " + file + " --batch-sentences 9 --keep-best");
  CHECK(contains(sentences, "batch-sentences = 9\n"));
  CHECK_FALSE(contains(sentences, "batch-tokens"));
  CHECK_FALSE(contains(sentences, "average-last"));
  CHECK(contains(dump("--config " + place.write("small", "preset = quick\r\n  epochs=3 \r\n")), "epochs = 3\n"));
  CHECK(contains(dump("--config " + place.file("small")), "\nffn = 256\n"));
  CHECK(contains(dump("--config " + file + " --dropout 0.4"), "dropout = 0.4\n"));
  CHECK_FALSE(contains(read_file(file), "attention-dropout"));  // so that it goes on following --dropout
  const std::string wrong = place.write("wrong", "layers = none\ndata = here\n");
  expect_usage_error(gradus_program(place, "train --dump-config --config " + wrong + " --layers 2"),
                     "wrong: --layers: none is not a whole number");
}

TEST_CASE("train: a folder of text, every option at once, and the same command again") {
  const Playground place("options");
  const std::string many = word_training(place,
                                         "--vocab separate --min-frequency 2 --lowercase --optimizer sgd "
                                         "--momentum 0.9 --weight-decay 0.01 --decay coupled "
                                         "--clip 0.5 --schedule cosine --decay-steps 40 --learning-rate 0.1 --init "
                                         "kaiming --embedding-dropout "
                                         "0.2 --attention-dropout 0 --activation-dropout 0.3 --residual-dropout "
                                         "0.05 --label-smoothing 0.2 --norm post "
                                         "--untied --attention-bias --no-scale-embedding --activation gelu "
                                         "--valid-every 7 --keep-best --patience 5 --seed 3");
  const Result r = gradus_program(place, many);
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = nlohmann::json::parse(read_file(place.file("run/model.json")));
  const auto& model = json.at("model");
  CHECK(model.at("norm") == "post");
  CHECK(model.at("activation") == "gelu");
  CHECK(model.at("tying") == "none");
  CHECK(model.at("attention_bias") == true);
  CHECK(model.at("scale_embedding") == false);
  CHECK(model.at("embedding_rate") == 0.2);
  CHECK(model.at("attention_rate") == 0.0);
  CHECK(model.at("activation_rate") == 0.3);
  CHECK(model.at("residual_rate") == 0.05);
  CHECK(json.at("tokenizer").at("lower_case") == true);
  const auto& recipe = json.at("notes").at("recipe");
  CHECK(recipe.at("optimizer").at("momentum") == 0.9);
  CHECK(recipe.at("decay") == "coupled");
  CHECK(recipe.at("initialisation") == "kaiming");
  CHECK(recipe.at("keep best") == true);
  CHECK(json.at("notes").at("weights") == "of the best validation");
  CHECK(contains(gradus_program(place, many).err, "this run is finished"));
  const Result translated = gradus_program(place, "translate --model " + place.file("run") + " 'A DOG RUNS.'");
  CHECK(translated.status == 0);
  const std::pair<const char*, const char*> changes[] = {
      {"--momentum 0.8", "(--momentum 0.8 here, 0.9 in the run)"},
      {"--decay decoupled", "(--decay decoupled here, coupled in the run)"},
      {"--clip 1", "(--clip 1.0 here, "},
      {"--init normal", "(--init normal here, kaiming in the run)"},
      {"--no-lowercase", "(--lowercase false here, true in the run)"},
      {"--norm pre", "(--norm pre here, post in the run)"},
      {"--residual-dropout 0", "(--residual-dropout 0.0 here, 0.05 in the run)"},
      {"--patience 0", "(--patience 0 here, "},
      {"--weight-decay 0.1", "(--weight-decay 0.1 here, "}};
  for (const auto& [change, name] : changes) {
    INFO(change);
    const Result other = gradus_program(place, many + " " + change);
    CHECK(other.status == 2);
    CHECK(contains(other.err, name));
  }
}

TEST_CASE("train: quiet is silent, a pipe gets plain lines, a log has one object a line") {
  const Playground place("shown");
  const std::string log = place.file("log");
  const Result quiet = gradus_program(place, word_training(place, "--quiet --log-json " + log));
  CHECK(quiet.status == 0);
  CHECK(quiet.err.empty());
  CHECK(quiet.out.empty());
  std::size_t steps = 0, validations = 0;
  std::string last;
  for (const std::string& line : read_lines(log)) {
    const auto json = nlohmann::json::parse(line);
    last = json.at("event");
    if (last == "step") CHECK(json.at("step") == ++steps);
    if (last == "validation") ++validations;
  }
  CHECK(steps > 3);
  CHECK(validations == 1);
  CHECK(last == "end");

  const Result loud = gradus_program(place, word_training(place, "--overwrite"));
  CHECK(loud.status == 0);
  CHECK_FALSE(contains(loud.err, "\r"));
  CHECK_FALSE(contains(loud.err, "\x1b"));
  for (const char* part :
       {"validation loss", "BLEU", "source ", "reference ", "translation ", "peak memory", "report.html"}) {
    INFO(part);
    CHECK(contains(loud.err, part));
  }
  CHECK_FALSE(contains(loud.err, "of rank"));
  CHECK(gradus_program(place, word_training(place, "--overwrite --log-json " + place.file("no/where"))).status ==
        1);
  const Result failed = gradus_program(
      place,
      word_training(
          place, "--overwrite --quiet --optimizer sgd --learning-rate 1e6 --clip 0 --warmup 0 --log-json " + log));
  CHECK(failed.status == 1);
  CHECK(lines_in(failed.err) == 2);
  CHECK(lines_in(lines_with(failed.err, "the training diverges")) == 1);
  CHECK(contains(failed.err, "not finite"));
  CHECK(contains(read_lines(log).back(), "failed"));
}

TEST_CASE("train: a terminal gets a bar that renews itself, in colour unless NO_COLOR is set") {
  const Playground place("terminal");
  const std::string command = " " + program_file() + " " + word_training(place, "--overwrite");
  const std::string shown = on_terminal("env -u NO_COLOR" + command), plain = on_terminal("NO_COLOR=1" + command);
  CHECK(contains(shown, "\r\x1b[K\x1b[32m"));
  CHECK(contains(shown, "tokens/s"));
  CHECK(contains(plain, "\r\x1b[K[===="));
  CHECK_FALSE(contains(plain, "\x1b[32m"));
  CHECK_FALSE(contains(plain, "\x1b[2m"));
}

TEST_CASE("train: the second Ctrl-C stops at once, and what was saved goes on") {
  const Playground place("twice");
  const std::string slow = word_training(
      place, "--d-model 256 --ffn 1024 --layers 2 --batch-tokens 8000 --valid-every 1000 --epochs 50");
  const auto saved = [&] { return std::filesystem::exists(place.file("run/checkpoint.safetensors")); };
  const auto wait = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  bool at_once = false, answered = false;
  for (int attempt = 0; attempt < 5 && !at_once; ++attempt) {  // on a busy machine the step may just be ending
    const Running training(place, slow);
    training.wait_until(
        [&] { return saved() && (training.has_output("parameters") || training.has_output("going on")); });
    wait(100);
    training.signal(SIGINT);
    wait(20);
    training.signal(SIGINT);
    const int status = training.end();
    at_once = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
    answered = training.has_output("Ctrl-C again stops at once");
  }
  CHECK(at_once);
  CHECK(answered);
  const Result again = gradus_program(place, slow + " --max-steps 1");
  CHECK(again.status == 0);
  CHECK(contains(again.err, "going on after step"));
}
