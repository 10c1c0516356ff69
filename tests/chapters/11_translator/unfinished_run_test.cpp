// A training that goes on, was killed or never ended: every command can use its best weights so far.

#include <nlohmann/json.hpp>

#include "11_translator/training/record/training_history.hpp"
#include "app/report/training_report.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "chapters/11_translator/word_training.hpp"
#include "gradus/util/digest.hpp"
#include "lib/io/files.hpp"

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

const std::string endless = "--epochs 3000 --schedule constant --learning-rate 0.01 ";

/// A run in the playground's folder "run" that was killed when `ready` said so.
void killed_run(const Playground& place, const std::string& more,
                const std::function<bool(const Running&)>& ready) {
  const Running training(place, word_training(place, endless + more));
  training.wait_until([&] { return ready(training); });
  training.signal(SIGKILL);
  const int status = training.end();
  REQUIRE(WIFSIGNALED(status));
}

bool has_validated(const Running& training) { return training.has_output("epoch 3,"); }

/// A run with best weights, killed after two validations at least.
const Playground& killed() {
  static const Playground place("killed-run");
  static const bool made = [] {
    killed_run(place, "", has_validated);
    REQUIRE_FALSE(fs::exists(place.file("run/model.json")));
    return true;
  }();
  REQUIRE(made);
  return place;
}

std::vector<float> weights_in(const std::string& folder, const std::string& file) {
  const Layout layout = transformer_layout<Cpu<float>>(load_model(folder).config);
  const auto stored = SafetensorsFile::load(folder + "/" + file);
  std::vector<float> weights(layout.size());
  read_weights(weights.data(), stored, layout);
  return weights;
}

nlohmann::json info_of(const Playground& place, const std::string& folder) {
  const Result r = gradus_program(place, "info --json " + folder);
  INFO(r.err);
  REQUIRE(r.status == 0);
  return nlohmann::json::parse(r.out);
}

}  // namespace

TEST_CASE("unfinished run: each command uses its best weights") {
  const Playground& place = killed();
  const std::string run = place.file("run"), text = place.file("text/val.en"),
                    reference = place.file("text/val.de");
  CHECK(load_model(run).weights == weights_in(run, "best.safetensors"));
  for (const std::string& command :
       {"translate --model " + run + " 'A dog runs.'", "info " + run, "explain --model " + run + " 'A dog runs.'",
        "evaluate --model " + run + " --source " + text + " --reference " + reference,
        "score-pairs --model " + run + " --source " + text + " --target " + reference,
        "export --ctranslate2 " + place.file("exported") + " --model " + run,
        "average " + run + " " + run + " --output " + place.file("mean"),
        "train --train-source " + text + " --train-target " + reference + " --valid-source " + text +
            " --valid-target " + reference + " --epochs 1 --average-last 1 --warmup 0 --init-from " + run +
            " --output " + place.file("next")}) {
    INFO(command);
    const Result r = gradus_program(place, command);
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK(complaints_in(r.err) == 0);
    const std::string warning =
        "warning: " + run +
        " has no whole model: its training has not ended, or files are gone. Used are its weights ";
    CHECK_THAT(r.err, contains(warning + weights_of_run(run) + "\n"));
  }
  const auto recipe = nlohmann::json::parse(RunFolder(place.file("next")).recipe());
  CHECK(recipe.at("initial weights") == sha256(read_file(run + "/best.safetensors")));
}

TEST_CASE("unfinished run: info tells which weights these are") {
  const Playground& place = killed();
  const std::string run = place.file("run");
  const RunFolder::Head head = RunFolder(run).head();
  const TrainingHistory history = training_history(head.metadata, "history");
  const ValidationRecord& best = history.validations.at(*best_validation(history.validations));
  const auto info = info_of(place, run);
  const auto& training = info.at("training");
  CHECK(training.at("steps") == best.step);
  CHECK(training.at("validation loss").get<double>() == Approx(best.loss).epsilon(1e-12));
  CHECK(training.at("weights") == "of the best validation so far");
  CHECK(weights_of_run(run) == "of the best validation so far, step " + std::to_string(best.step));
  CHECK(weights_of_run(toy_model()).empty());
  CHECK(weights_of_run(place.file("text")).empty());
  CHECK(training.at("recipe") == nlohmann::json::parse(head.recipe));
  CHECK(info.at("weights") == sha256(read_file(run + "/best.safetensors")));
  CHECK(info.at("tokenizer").at("kind") == "word");
}

TEST_CASE("unfinished run: it is usable while it goes on, and its end is the usual model") {
  const Playground place("going-on");
  const Running training(place, word_training(place, endless));
  training.wait_until([&] { return has_validated(training); });
  const Result r = translate_with_run(place, "'A dog runs.'");
  INFO(r.err);
  CHECK(r.status == 0);
  training.signal(SIGTERM);
  const int status = training.end();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(info_of(place, place.file("run")).at("training").at("weights") == "after the last step");
}

TEST_CASE("unfinished run: before its first validation, the weights of the last checkpoint") {
  const Playground place("not-validated");
  killed_run(place, "--valid-every 100000 --save-every 3 --log-json " + place.file("log"), [&](const Running&) {
    return fs::exists(place.file("log")) && lines_in(read_file(place.file("log"))) > 7;
  });
  const std::string run = place.file("run");
  REQUIRE_FALSE(fs::exists(run + "/best.safetensors"));
  const RunFolder::Head head = RunFolder(run).head();
  // it may have been killed while the newest checkpoint had no name yet
  CHECK(load_model(run).weights == weights_in(run, fs::path(head.file).filename()));
  const auto training = info_of(place, run).at("training");
  CHECK(training.at("steps") == head.state.step);
  CHECK(training.at("steps").get<int>() % 3 == 0);
  CHECK(training.at("weights") == "of the last checkpoint");
  CHECK_FALSE(training.contains("validation loss"));
  CHECK(translate_with_run(place, "'A dog runs.'").status == 0);
}

TEST_CASE("unfinished run: without a step there is no model, and the message says it") {
  const Playground place("no-step");
  TrainingRequest r = small(place.file("run"));
  TrainingListener listener;
  listener.interrupted = [] { return true; };
  REQUIRE(train(r, listener) == TrainingEnd::interrupted);
  expect_refusal(
      translate_with_run(place, "'A dog runs.'"),
      place.file("run") +
          " holds a training that has saved no step yet, so no model; this continues it: gradus train\n");
  expect_refusal(gradus_program(place, "report " + place.file("run")), "has saved no step yet, so no history");
  fs::create_directory(place.file("empty"));
  expect_refusal(gradus_program(place, "translate --model " + place.file("empty") + " a"), "empty/model.json");
}

TEST_CASE("unfinished run: without its vocabulary, the message has the command that writes its model") {
  const Playground place("without-vocabulary");
  killed_run(place, "--vocab separate --threads 1 ", has_validated);
  const std::string run = place.file("run");
  fs::remove(run + "/source.words.txt"), fs::remove(run + "/target.words.txt");
  const Result r = gradus_program(place, "info " + run);
  const std::string mark = "this writes its model after the step that it has reached: gradus ";
  expect_refusal(r, "holds a training that has not ended, and no source.words.txt; " + mark);
  std::string command = r.err.substr(r.err.find(mark) + mark.size());
  command.pop_back();  // the line's end
  CHECK(contains(command, "--output " + run + " --max-steps 1"));
  CHECK(gradus_program(place, command).status == 0);
  CHECK(info_of(place, run).at("training").at("weights") == "after the last step");
}

TEST_CASE("a run with a damaged file of its model: the message has the command that writes it again") {
  const Playground place("damaged-model");
  const std::string run = place.file("run");
  const std::string stopped = word_training(place, "--epochs 9 --max-steps 6 --threads 1"),
                    ended = word_training(place, "--overwrite --threads 1");
  for (const std::string& training : {stopped, ended}) {
    INFO(training);
    REQUIRE(gradus_program(place, training).status == 0);
    for (const char* name : {"weights.safetensors", "model.json", "words.txt"}) {
      INFO(name);
      const std::string file = run + "/" + name, whole = read_file(file);
      for (const std::string& damaged : {std::string(), whole.substr(0, whole.size() / 2)}) {
        place.write(std::string("run/") + name, damaged);
        const Result r = gradus_program(place, "info " + run);
        const std::string mark = "; this writes the model's files again: gradus ";
        expect_refusal(r, mark);
        std::string command = r.err.substr(r.err.find(mark) + mark.size());
        command.pop_back();  // the line's end
        CHECK(gradus_program(place, command).status == 0);
        CHECK(read_file(file) == whole);
      }
    }
    fs::remove(run + "/words.txt");
    expect_refusal(gradus_program(place, "info " + run), "words.txt: No such file or directory; this writes");
  }
}

TEST_CASE("unfinished run: copied without some files, it is used as far as they go") {
  const Playground place("copied");
  const std::string run = place.file("run"), table = "report " + run + " --csv -";
  REQUIRE(gradus_program(place, word_training(place, endless + "--max-steps 20")).status == 0);
  const Result whole = gradus_program(place, table);
  REQUIRE(whole.status == 0);
  REQUIRE(lines_in(whole.out) > 2);
  fs::remove(run + "/history.json");
  CHECK(gradus_program(place, table).out == whole.out);
  CHECK(gradus_program(place, "report " + run).status == 0);
  fs::remove(run + "/weights.safetensors");
  CHECK(info_of(place, run).at("training").at("steps").get<int>() > 0);
  CHECK(translate_with_run(place, "'A dog runs.'").status == 0);
  fs::remove(run + "/model.json"), fs::remove(run + "/words.txt");
  expect_refusal(gradus_program(place, "info " + run), "holds a training that has not ended, and no words.txt; ");
  const Result again = gradus_program(place, word_training(place, endless + "--max-steps 1"));
  CHECK_THAT(again.err,
             gradus::test::contains("--max-steps 1: the run has made 20 steps already, and makes no more"));
  CHECK(info_of(place, run).at("training").at("weights") == "after the last step");
}

TEST_CASE("unfinished run: a better validation takes the place of the model of an earlier stop") {
  const Playground place("stopped-then-better");
  const std::string run = place.file("run");
  REQUIRE(gradus_program(place, word_training(place, endless + "--max-steps 2")).status == 0);
  REQUIRE(info_of(place, run).at("training").at("steps") == 2);
  killed_run(place, "", has_validated);
  const auto training = info_of(place, run).at("training");
  CHECK(training.at("weights") == "of the best validation so far");
  CHECK(training.at("steps").get<int>() > 2);
}

TEST_CASE("unfinished run: best weights that no checkpoint of this run knows are not taken") {
  const Playground place("foreign-best");
  killed_run(place, "--valid-every 100000 --save-every 3 --log-json " + place.file("log"), [&](const Running&) {
    return fs::exists(place.file("log")) && lines_in(read_file(place.file("log"))) > 7;
  });
  fs::copy_file(killed().file("run/best.safetensors"), place.file("run/best.safetensors"));
  CHECK(info_of(place, place.file("run")).at("training").at("weights") == "of the last checkpoint");
}

TEST_CASE("overwrite: the run in the folder stays whole until the new one has its first checkpoint") {
  const Playground place("overwritten");
  TrainingRequest r = small(place.file("run"));
  REQUIRE(train(r, {}) == TrainingEnd::finished);
  const auto files = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(r.output))
      all[entry.path().filename()] = read_file(entry.path());
    return all;
  };
  const auto before = files();
  REQUIRE(before.size() > 9);
  r.overwrite = true, r.plan.seed = 2, r.plan.epochs = 1;
  struct Stop {};
  bool all_there = false;
  TrainingListener listener;
  listener.say = [&](const std::string& line) {
    if (line.rfind("training ", 0) != 0) return;  // the last message before the first checkpoint
    all_there = files() == before;
    throw Stop();
  };
  CHECK_THROWS_AS(train(r, listener), Stop);
  CHECK(all_there);
  CHECK(files() == before);
  r.init_from = place.file("nowhere");
  CHECK_THROWS_AS(train(r, {}), Error);
  CHECK(files() == before);
  r.init_from = "";
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  const auto after = files();
  CHECK(after.count("recent-1.safetensors") == 0);  // of two epochs
  TrainingRequest fresh = r;
  fresh.output = place.file("fresh"), fresh.overwrite = false;
  REQUIRE(train(fresh, with_report()) == TrainingEnd::finished);
  for (const auto& [name, content] : after) {
    INFO(name);
    if (name == "report.html") {
      CHECK(without_machine(content) == without_machine(read_file(fresh.output + "/" + name)));
    } else if (name != "timing.json") {
      CHECK(content == read_file(fresh.output + "/" + name));
    }
  }
  const auto sessions = nlohmann::json::parse(after.at("timing.json")).at("sessions");
  CHECK(sessions.size() == 1);  // the time of the other run is not its own
}
