// The effects of the options of `gradus train` that the request does not show: duration, threads, and messages.
// (The request: train_options_test.cpp.)

#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <regex>
#include <thread>

#include "10_training/run/checkpoint.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Json = nlohmann::json;

std::string word_training(const Playground& place, const std::string& more) {
  return toy_training(place.file("run"), "--tokenizer word " + more + " ");
}

std::vector<Json> log_of(const Playground& place) {
  std::vector<Json> all;
  for (const std::string& line : read_lines(place.file("log"))) all.push_back(Json::parse(line));
  return all;
}

std::vector<Json> of_event(const std::vector<Json>& log, const std::string& event) {
  std::vector<Json> all;
  for (const Json& json : log) {
    if (json.at("event") == event) all.push_back(json);
  }
  return all;
}

TrainingHistory history_of(const Playground& place) {
  return training_history(read_file(place.file("run/history.json")), "history");
}

double mean(const std::vector<Json>& steps, std::size_t first, std::size_t count, const char* key) {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) sum += steps.at(i).at(key).get<double>();
  return sum / static_cast<double>(count);
}

/// The number after each `name` in a text.
std::vector<double> numbers_behind(const std::string& text, const std::string& name) {
  std::vector<double> all;
  const std::regex pattern(name + " ([-+.e0-9]+)");
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
    all.push_back(std::stod((*i)[1]));
  return all;
}

}  // namespace

TEST_CASE("train: --max-minutes are minutes, after which it stops and can go on") {
  const Playground place("minutes");
  const std::string words =
      word_training(place, "--epochs 3000 --valid-every 100000 --log-json " + place.file("log"));
  const Result r = gradus_program(place, words + "--max-minutes 0.01");
  CHECK(r.status == 0);
  CHECK_THAT(r.err, contains("stopped; the same command continues from here"));
  const Json end = log_of(place).back();
  CHECK(end.at("how") == "stopped");
  CHECK(end.at("seconds").get<double>() >= 0.6);
  const std::uint32_t reached = history_of(place).steps.back().step;
  CHECK(reached > 1);
  const Result again = gradus_program(place, words + "--max-minutes 1e-9");
  CHECK_THAT(again.err, contains("going on after step " + std::to_string(reached)));
  CHECK(history_of(place).steps.back().step == reached + 1);
}

TEST_CASE("train: --max-minutes that do not pass change nothing") {
  const Playground place("hours");
  const Result r = gradus_program(place, word_training(place, "--epochs 1 --max-minutes 600"));
  CHECK(r.status == 0);
  CHECK_THAT(r.err, contains("finished"));
}

TEST_CASE("train: SIGTERM and SIGHUP finish the step, save, and exit 130") {
  for (const int signal : {SIGTERM, SIGHUP}) {
    const Playground place("signal");
    const std::string words =
        word_training(place, "--epochs 3000 --valid-every 100000 --log-json " + place.file("log"));
    const Running training(place, words);
    training.wait_until([&] { return std::filesystem::exists(place.file("log")); });  // the first step is done
    training.signal(signal);
    const int status = training.end();
    INFO("signal " << signal);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    CHECK(training.has_output("interrupted and saved"));
    CHECK_FALSE(training.has_output("validation"));
    const std::uint32_t saved = history_of(place).steps.back().step;
    const Result again = gradus_program(place, words + "--max-steps " + std::to_string(saved));
    CHECK_THAT(again.err, contains("going on after step " + std::to_string(saved)));
  }
}

TEST_CASE("train: SIGUSR1 saves a checkpoint, and the run goes on") {
  const Playground place("wish");
  const std::string words =
      word_training(place, "--epochs 3000 --valid-every 100000 --save-every 0 --log-json " + place.file("log"));
  const Running training(place, words);
  training.wait_until([&] { return std::filesystem::exists(place.file("log")); });
  const auto saved = [&] { return RunFolder(place.file("run")).state().step; };
  const auto steps = [&] { return lines_in(read_file(place.file("log"))); };
  std::uint32_t before = saved();
  for (int i = 1; i <= 2; ++i) {
    training.signal(SIGUSR1);
    training.wait_until([&] { return saved() != before; });
    CHECK(saved() != before);
    before = saved();
    const std::size_t then = steps();
    training.wait_until([&] { return steps() > then + 3; });
    CHECK(steps() > then + 3);
    CHECK(saved() == before);  // once for each signal
  }
  CHECK(lines_in(lines_with(read_file(place.file("said")), "saving the run after step")) == 2);
  training.signal(SIGKILL);
  training.end();
  CHECK(before > 0);
  const Result again = gradus_program(place, words + "--max-steps 1");
  CHECK_THAT(again.err, contains("going on after step " + std::to_string(before)));
}

TEST_CASE("train: --threads says how many threads work") {
  const Playground place("threads");
  const auto threads_of = [&](const std::string& count) {
    const Running training(
        place, word_training(place, "--epochs 3000 --valid-every 100000 --overwrite --threads " + count));
    training.wait_until([&] { return training.has_output("parameters"); });  // by then all of them are there
    const std::string status = read_file("/proc/" + std::to_string(training.process()) + "/status");
    training.signal(SIGKILL);
    training.end();
    std::smatch threads;
    REQUIRE(std::regex_search(status, threads, std::regex("Threads:\\s*(\\d+)")));
    return std::stoi(threads[1]);
  };
  CHECK(threads_of("6") - threads_of("2") == 4);
}

TEST_CASE("train: the log's numbers are the history's, and those on the screen are the log's") {
  const Playground place("numbers");
  const Result r = gradus_program(
      place, word_training(place, "--epochs 4 --schedule constant --learning-rate 0.0125 --warmup 5 --log-json " +
                                      place.file("log")));
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto log = log_of(place);
  const auto steps = of_event(log, "step"), validations = of_event(log, "validation");
  const TrainingHistory history = history_of(place);
  const std::size_t all = steps.size(), tens = all / 10;
  REQUIRE(all % 10 != 0);
  REQUIRE(history.steps.size() == tens + 1);
  for (std::size_t i = 0; i <= tens; ++i) {
    const std::size_t count = i == tens ? all % 10 : 10;
    CHECK(history.steps[i].step == 10 * i + count);
    CHECK(history.steps[i].epoch == steps[10 * i + count - 1].at("epoch"));
    CHECK(history.steps[i].loss == Approx(mean(steps, 10 * i, count, "loss")).epsilon(1e-12));
    CHECK(history.steps[i].learning_rate == Approx(mean(steps, 10 * i, count, "learning_rate")).epsilon(1e-12));
    CHECK(history.steps[i].gradient_norm == Approx(mean(steps, 10 * i, count, "gradient_norm")).epsilon(1e-12));
  }
  for (std::size_t i = 0; i < all; ++i) {
    CHECK(steps[i].at("learning_rate").get<double>() == Approx(0.0125 * std::min<double>(1, (i + 1) / 5.0)));
    CHECK(steps[i].at("of") == all);
    CHECK(steps[i].at("step") == i + 1);
  }

  REQUIRE(validations.size() == 4);
  REQUIRE(history.validations.size() == 4);
  const auto losses = numbers_behind(r.err, "validation loss"), perplexities = numbers_behind(r.err, "perplexity"),
             scores = numbers_behind(r.err, "BLEU");
  double best = 1e9;
  for (std::size_t i = 0; i < 4; ++i) {
    const ValidationRecord& v = history.validations[i];
    CHECK(validations[i].at("step") == v.step);
    CHECK(validations[i].at("epoch") == i + 1);
    CHECK(v.epoch == i + 1);
    CHECK(validations[i].at("loss") == v.loss);
    CHECK(validations[i].at("bleu") == v.bleu);
    CHECK(validations[i].at("best") == (v.loss < best));
    best = std::min(best, v.loss);
    REQUIRE(validations[i].at("samples").size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(validations[i].at("samples")[k].at("source") == v.samples[k].source);
      CHECK(validations[i].at("samples")[k].at("reference") == v.samples[k].reference);
      CHECK(validations[i].at("samples")[k].at("translation") == v.samples[k].translation);
    }
    CHECK(losses.at(i) == Approx(v.loss).margin(6e-5));
    CHECK(perplexities.at(i) == Approx(std::exp(v.loss)).margin(6e-3));
    CHECK(scores.at(i) == Approx(v.bleu).margin(6e-3));
  }
  const auto ends = of_event(log, "end");
  const Json session = Json::parse(read_file(place.file("run/timing.json"))).at("sessions").back();
  REQUIRE(ends.size() == 1);
  CHECK(ends[0].at("how") == "finished");
  CHECK(ends[0].at("seconds").get<double>() >= steps.back().at("seconds").get<double>());
  CHECK(ends[0].at("peak_memory_bytes").get<double>() >= session.at("peak_memory").get<double>());
  CHECK(ends[0].at("peak_memory_bytes").get<double>() < 2 * session.at("peak_memory").get<double>());
  // The last step is always shown; its loss is a mean over all of them, which are fewer than 50.
  REQUIRE(all < 50);
  CHECK(numbers_behind(r.err, "rate").back() == Approx(0.0125).epsilon(0.005));
  CHECK(numbers_behind(r.err, "  loss").back() == Approx(mean(steps, 0, all, "loss")).margin(6e-4));
}

TEST_CASE("train: the tokens a second on the screen are the log's") {
  double error = 1;
  // The screen and the log read the clock one after the other. A busy machine may stop the program in between; not each time.
  for (int run = 0; run < 5 && error > 0.025; ++run) {
    const Playground place("pace");
    const Result r = gradus_program(place, word_training(place, "--epochs 4 --log-json " + place.file("log")));
    INFO(r.err);
    REQUIRE(r.status == 0);
    const auto steps = of_event(log_of(place), "step");
    const double seconds = steps.back().at("seconds"), all = static_cast<double>(steps.size()),
                 targets = mean(steps, 0, steps.size(), "target_tokens") * all,
                 sources = mean(steps, 0, steps.size(), "source_tokens") * all;
    REQUIRE(std::abs(targets / sources - 1) > 0.05);
    std::smatch pace;
    REQUIRE(std::regex_search(r.err, pace, std::regex("([0-9]+) tokens/s  0:00 left")));
    error = std::abs(std::stod(pace[1]) / (targets / seconds) - 1);
  }
  CHECK(error <= 0.025);
}

TEST_CASE(
    "train: its seconds and tokens a second count from the first step, not from the reading, also after a resume") {
  using Clock = std::chrono::steady_clock;
  const Playground place("clock");
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/train.en",
                    pipe = place.file("slow.en");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string command = word_training(place, "--train-source " + pipe + " --log-json " + place.file("log"));
  std::size_t lines = 0;
  for (const int session : {0, 1}) {
    const Running training(place, command + (session == 0 ? " --max-steps 9" : ""));
    std::ofstream text(pipe);  // waits until the training reads
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    const auto is_read = Clock::now();
    text << read_file(toy) << std::flush;
    text.close();
    REQUIRE(training.end() == 0);
    const double most = std::chrono::duration<double>(Clock::now() - is_read).count();
    const std::vector<Json> log = log_of(place);
    double tokens = 0;
    for (; lines < log.size(); ++lines) {
      CHECK(log[lines].value("seconds", 0.0) < most);
      tokens += log[lines].value("target_tokens", 0.0);
    }
    const Json sessions = Json::parse(read_file(place.file("run/timing.json"))).at("sessions");
    REQUIRE(sessions.size() == static_cast<std::size_t>(session + 1));
    CHECK(sessions.back().at("seconds").get<double>() < most);
    std::smatch pace;
    const std::string said = read_file(place.file("said"));
    if (session == 1) REQUIRE(std::regex_search(said, pace, std::regex("([0-9]+) tokens/s  0:00 left")));
    if (session == 1) CHECK(std::stod(pace[1]) > tokens / most);
  }
}

TEST_CASE("train: --dump-config and a refused choice leave no folder behind") {
  const Playground place("dumped");
  CHECK(gradus_program(place, word_training(place, "--dump-config")).status == 0);
  CHECK_FALSE(std::filesystem::exists(place.file("run")));
  CHECK(gradus_program(place, word_training(place, "--products bf16")).status == 2);
  CHECK_FALSE(std::filesystem::exists(place.file("run")));
}
