#include "11_translator/training/training_run.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

std::vector<float> stored(const Playground& place, const std::string& name) {
  return stored_weights(place.file("run"), name);
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
  return most;
}

}  // namespace

TEST_CASE("training: two vocabularies of words, from text to a translation") {
  const Playground place("train-words");
  REQUIRE(train(small(place.file("run")), {}) == TrainingEnd::finished);
  const ModelFiles model = load_model(place.file("run"));
  CHECK(model.config.source_vocab == model.tokenizers.source.size());
  CHECK(model.config.source_vocab != model.config.target_vocab);
  CHECK_FALSE(Translator::load(place.file("run")).translate("A dog runs.").empty());
  TrainingRequest tied = small(place.file("other"));
  tied.model.tying = Tying::all;
  CHECK(error_of([&] { train(tied, {}); }).find("two vocabularies") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(place.file("other")));
}

TEST_CASE("training: however often it stops, the history and the model have the same bytes") {
  const Playground place("train-resume");
  REQUIRE(train(small(place.file("one")), with_report()) == TrainingEnd::finished);
  for (const std::uint32_t stop : {3U, 13U, 20U, 21U}) {
    TrainingRequest r = small(place.file("two"));
    r.max_steps = stop;
    r.threads = stop % 3 + 1;
    REQUIRE(train(r, {}) == TrainingEnd::stopped);
    const auto history = training_history(read_file(place.file("two/history.json")), "history.json");
    CHECK(history.steps.back().step == stop);
  }
  REQUIRE(train(small(place.file("two")), with_report()) == TrainingEnd::finished);
  const auto file = [&](const char* run, const char* name) { return read_file(place.file(run) + "/" + name); };
  for (const char* name :
       {"history.json", "checkpoint.safetensors", "model.json", "weights.safetensors", "results.json"}) {
    INFO(name);
    CHECK(file("one", name) == file("two", name));
  }
  CHECK(without_machine(file("one", "report.html")) == without_machine(file("two", "report.html")));
  const auto history = training_history(read_file(place.file("one/history.json")), "history.json");
  REQUIRE(history.steps.size() > 3);
  CHECK(history.steps[0].step == 10);
  CHECK(history.steps[1].step == 20);
  REQUIRE(history.validations.size() == 2);
  CHECK(history.validations[0].epoch == 1);
  CHECK(history.validations[1].epoch == 2);
  CHECK(history.validations[1].step == history.steps.back().step);
  CHECK(history.validations[0].samples.size() == 3);
  CHECK(history.validations[0].samples[1].source == history.validations[1].samples[1].source);
  CHECK(history.validations[0].loss > history.validations[1].loss);
}

TEST_CASE("training: a run that ends early because of --patience reports it") {
  const Playground place("train-patience");
  TrainingRequest r = small(place.file("run"));
  r.plan.schedule = {ScheduleKind::constant, 1e-30};  // no weight changes
  r.plan.valid_every = 2;
  r.plan.patience = 3;
  std::string said;
  TrainingListener listener;
  listener.say = [&](const std::string& line) { said += line + "\n"; };
  CHECK(train(r, listener) == TrainingEnd::finished);
  CHECK(said.find("the last 3 validations were no better") != std::string::npos);
}

TEST_CASE("training: after the loss of a checkpoint its steps are repeated, and the history is complete") {
  const Playground place("train-older");
  REQUIRE(train(small(place.file("one")), {}) == TrainingEnd::finished);
  TrainingRequest r = small(place.file("two"));
  r.max_steps = 13, r.save_every = 7;
  REQUIRE(train(r, {}) == TrainingEnd::stopped);
  write_atomically(place.file("two/checkpoint.safetensors"), "damaged");  // step 13; the one before is of step 7
  r.max_steps = 8;
  std::vector<std::uint32_t> steps;
  TrainingListener listener;
  listener.on_step = [&](const StepReport& report, std::uint32_t) { steps.push_back(report.step); };
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  CHECK(steps == std::vector<std::uint32_t>{8});
  r.max_steps = 0;
  REQUIRE(train(r, {}) == TrainingEnd::finished);
  CHECK(read_file(place.file("one/history.json")) == read_file(place.file("two/history.json")));
  CHECK(read_file(place.file("one/weights.safetensors")) == read_file(place.file("two/weights.safetensors")));
}

TEST_CASE("training: killed between its last checkpoint and its model, a run writes them when it is called again") {
  const Playground place("train-killed");
  TrainingRequest r = small(place.file("run"));
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  const std::string json = read_file(place.file("run/model.json")),
                    report = read_file(place.file("run/report.html"));
  std::filesystem::remove(place.file("run/model.json"));
  std::filesystem::remove(place.file("run/report.html"));
  CHECK(train(r, with_report()) == TrainingEnd::already_finished);
  CHECK(read_file(place.file("run/model.json")) == json);
  CHECK(read_file(place.file("run/report.html")) == report);
}

TEST_CASE("training: the model is the mean of the last validations, or with keep_best the best one's") {
  const Playground place("train-best");
  TrainingRequest start = small(place.file("run"));
  start.plan.average_last = 2;
  TrainingRequest r = trained_until_the_mean_is_kept(start);
  auto mean = stored(place, "recent-0.safetensors");
  const auto other = stored(place, "recent-1.safetensors"), best = stored(place, "best.safetensors");
  CHECK(largest_difference(mean, other) > 0.01);
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (mean[i] + other[i]) / 2;
  CHECK(largest_difference(load_model(r.output).weights, mean) < 2e-3);  // F16
  CHECK(largest_difference(load_model(r.output).weights, best) > 0.01);
  r.keep_best = true;
  CHECK(error_of([&] { train(r, {}); }).find("(--keep-best true here, false in the run)") != std::string::npos);
  r.overwrite = true;
  REQUIRE(train(r, {}) == TrainingEnd::finished);
  CHECK(largest_difference(load_model(r.output).weights, best) < 2e-3);
}

TEST_CASE("training: weight decay shrinks matrices of linear maps and nothing else") {
  const Playground place("train-decay");
  for (const bool adam : {true, false}) {
    TrainingRequest r = small(place.file("run"));
    r.overwrite = true;
    r.max_steps = 1;
    r.plan.schedule = {ScheduleKind::constant, 0.5, 0};
    r.plan.optimiser.kind = adam ? Optimiser::adam : Optimiser::sgd;
    r.plan.optimiser.adam.epsilon = 1e30;      // so that the decay alone changes
    r.plan.optimiser.sgd.update.clip = 1e-30;  // a weight, in both
    for (UpdateOptions* u : {&r.plan.optimiser.adam.update, &r.plan.optimiser.sgd.update}) u->weight_decay = 0.5;
    REQUIRE(train(r, {}) == TrainingEnd::stopped);
    const auto checkpoint = SafetensorsFile::load(r.output + "/checkpoint.safetensors");
    const Layout layout = transformer_layout<Cpu<float>>(load_model(r.output).config);
    for (std::size_t k = 0; k < layout.slices().size(); ++k) {
      const Slice& s = layout.slices()[k];
      INFO(s.name);
      const double factor = s.kind == Kind::weight ? 0.75 : 1;
      const auto before = initial_values(layout, k, r.initialisation);
      const auto after = checkpoint.values<float>(s.name);
      double off = 0;
      for (std::size_t i = 0; i < before.size(); ++i) off = std::max(off, std::abs(after[i] - factor * before[i]));
      CHECK(off < 1e-6);
    }
  }
}

TEST_CASE("training: a step that fails is named, and the last checkpoint is whole") {
  const Playground place("train-nan");
  TrainingRequest r = small(place.file("run"));
  r.plan.optimiser.kind = Optimiser::sgd;
  r.plan.optimiser.sgd.update.clip = 0;
  r.plan.schedule = {ScheduleKind::constant, 1e30, 0};
  r.save_every = 1;
  const std::string complaint = error_of([&] { train(r, {}); });
  INFO(complaint);
  CHECK(complaint.find("not finite") != std::string::npos);
  CHECK(complaint.find("step") != std::string::npos);
  const RunFolder folder(r.output);
  REQUIRE(folder.has_checkpoint());
  CHECK(error_of([&] { train(r, {}); }) == complaint);  // it continues to the same step
}

TEST_CASE("training: files that no run wrote are left alone") {
  const Playground place("train-foreign");
  std::filesystem::create_directories(place.file("run"));
  place.write("run/notes.txt", "mine");
  place.write("run/recent-x.safetensors", "mine");
  TrainingRequest r = small(place.file("run"));
  r.plan.epochs = 1;
  REQUIRE(train(r, {}) == TrainingEnd::finished);
  r.plan.seed = 2;
  CHECK(error_of([&] { train(r, {}); }).find("(--seed 2 here, 1 in the run)") != std::string::npos);
  r.overwrite = true;
  place.write("run/recent-17.safetensors", "of some longer run");
  REQUIRE(train(r, {}) == TrainingEnd::finished);
  CHECK(read_file(place.file("run/notes.txt")) == "mine");
  CHECK(read_file(place.file("run/recent-x.safetensors")) == "mine");
  CHECK_FALSE(std::filesystem::exists(place.file("run/recent-17.safetensors")));

  std::filesystem::create_directories(place.file("model"));
  place.write("model/model.json", "somebody's");
  r.output = place.file("model");
  for (const bool overwrite : {false, true}) {
    r.overwrite = overwrite;
    CHECK(error_of([&] { train(r, {}); }).find("holds a model.json but no run") != std::string::npos);
    CHECK(read_file(place.file("model/model.json")) == "somebody's");
  }
}

TEST_CASE("training: a file where its folder should be is refused before any text is read") {
  const Playground place("train-file");
  place.write("run", "mine");
  TrainingListener listener;
  std::string said;
  listener.say = [&](const std::string& line) { said += line; };
  CHECK(error_of([&] { train(small(place.file("run")), listener); }).find("is no folder") != std::string::npos);
  CHECK(said.empty());
  CHECK(read_file(place.file("run")) == "mine");
}

TEST_CASE("training: a link in place of its folder leads to the run, or is refused and stays") {
  const Playground place("train-link");
  std::filesystem::create_directory_symlink(place.file("elsewhere"), place.file("run"));
  TrainingRequest r = small(place.file("run"));
  r.max_steps = 1;
  for (const char* end : {"", "/"}) {
    r.output = place.file("run") + end;
    const std::string complaint = error_of([&] { train(r, {}); });
    CHECK(complaint == r.output + " is a link to " + place.file("elsewhere") +
                           ", which does not exist; make that folder, or remove the link");
    CHECK(std::filesystem::is_symlink(place.file("run")));
    CHECK_FALSE(std::filesystem::exists(place.file("elsewhere")));
  }
  std::filesystem::create_directory(place.file("elsewhere"));
  REQUIRE(train(r, {}) == TrainingEnd::stopped);
  CHECK(std::filesystem::is_symlink(place.file("run")));
  CHECK(std::filesystem::exists(place.file("elsewhere/model.json")));
}

TEST_CASE("training: a run that is interrupted before its first step can continue") {
  const Playground place("train-early");
  TrainingRequest r = small(place.file("run"));
  r.plan.epochs = 1;
  TrainingListener listener;
  listener.interrupted = [] { return true; };
  CHECK(train(r, listener) == TrainingEnd::interrupted);
  CHECK(RunFolder(r.output).has_checkpoint());
  CHECK_FALSE(std::filesystem::exists(place.file("run/history.json")));
  CHECK_FALSE(std::filesystem::exists(place.file("run/model.json")));  // random numbers are no model
  CHECK(train(r, {}) == TrainingEnd::finished);
}

TEST_CASE("training: text with few usable pairs, or with validation pairs from training, gives one warning") {
  const Playground place("train-text");
  std::vector<std::string> warnings;
  TrainingListener listener;
  listener.warn = [&](const std::string& line) { warnings.push_back(line); };
  TrainingRequest r = small(place.file("run"));
  r.max_steps = 1;
  r.overwrite = true;
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  CHECK(warnings.empty());
  const TrainingRequest usual = r;
  const auto half = [&](const std::string& from, const std::string& more, const std::string& name, std::size_t n) {
    const auto lines = read_lines(from), other = read_lines(more);  // n of the first, then as many of the second
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += lines[i] + "\n" + other[i] + "\n";
    return place.write(name, text);
  };
  r.valid_source = half(usual.train_source, usual.valid_source, "half.en", 10);
  r.valid_target = half(usual.train_target, usual.valid_target, "half.de", 10);
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  CHECK(warnings.empty());  // half is not more than half
  r.valid_source = usual.train_source, r.valid_target = usual.train_target;
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].rfind("400 of 400 validation pairs are training pairs too", 0) == 0);
  CHECK_THAT(warnings[0], gradus::test::contains("; take other pairs"));
  std::string same;
  for (int i = 0; i < 100; ++i) same += "A dog runs.\tEin Hund rennt.\n";
  r.train_source = r.train_target = r.valid_source = r.valid_target = "";
  r.train_pairs = place.write("same.tsv", same), r.valid_split = 40, r.overwrite = true;
  warnings.clear();
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  const auto said = std::find_if(warnings.begin(), warnings.end(),
                                 [](const auto& line) { return line.find("training pairs too") != line.npos; });
  REQUIRE(said != warnings.end());
  CHECK_THAT(*said, gradus::test::contains("the text repeats its pairs: sort -u of a file of pairs"));

  warnings.clear();
  r = usual;
  r.plan.batches.tokens = 8;
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("more than half; if they are long, a larger --batch-tokens takes them") !=
        std::string::npos);
  CHECK(warnings[0].rfind("left out ", 0) == 0);
}
