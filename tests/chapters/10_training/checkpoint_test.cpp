#include "10_training/run/checkpoint.hpp"

#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr const char* recipe = R"({"rate":0.25,"data":"5e1f"})";
constexpr const char* callers_text = "what the caller wants to find again: \"Übung\"";

/// A matrix, a table and two vectors.
Layout small_layout() {
  Layout layout;
  layout.declare({"table", Kind::embedding, {5, 2}});
  layout.declare({"w", Kind::weight, {2, 3}});
  layout.declare({"gamma", Kind::gain, {3}});
  layout.declare({"b", Kind::bias, {2}});
  layout.finish();
  return layout;
}

/// Every field has a different value, and none has its default.
TrainingState full_state() {
  TrainingState s;
  s.step = 71, s.epoch = 12, s.next_batch = 3, s.validations = 14, s.since_best = 5, s.reductions = 6;
  s.best = -1.0 / 3;
  s.not_better = 4, s.plateau_best = -0.7;
  s.finished = true;
  return s;
}

template <class Real>
Snapshot<Real> full_snapshot(const Layout& layout, double first = 0) {
  Snapshot<Real> s;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const double x = first + static_cast<double>(i);
    s.weights.push_back(static_cast<Real>(1.1 + x / 3));
    s.m.push_back(static_cast<Real>(-100.1 - x / 3));
    s.v.push_back(static_cast<Real>(1000.1 + x / 3));
  }
  s.state = full_state();
  s.metadata = callers_text;
  return s;
}

std::vector<std::pair<std::string, std::function<void(TrainingState&)>>> changes_of_state() {
  return {{"step", [](auto& s) { ++s.step; }},
          {"epoch", [](auto& s) { ++s.epoch; }},
          {"next_batch", [](auto& s) { ++s.next_batch; }},
          {"validations", [](auto& s) { ++s.validations; }},
          {"since_best", [](auto& s) { ++s.since_best; }},
          {"reductions", [](auto& s) { ++s.reductions; }},
          {"not_better", [](auto& s) { ++s.not_better; }},
          {"plateau_best", [](auto& s) { s.plateau_best = std::nextafter(s.plateau_best, 0.0); }},
          {"finished", [](auto& s) { s.finished = !s.finished; }},
          {"best", [](auto& s) { s.best = std::nextafter(s.best, 0.0); }}};
}

/// A folder with two checkpoints: step 70 in checkpoint-before, step 71 in checkpoint.
struct TwoCheckpoints {
  TwoCheckpoints() : run(folder.path("run")) {
    Snapshot<float> older = full_snapshot<float>(layout, 0.5);
    older.state.step = 70;
    run.save(layout, older, recipe);
    run.save(layout, full_snapshot<float>(layout), recipe);
  }
  TemporaryFolder folder;
  Layout layout = small_layout();
  RunFolder run;
  std::string newest = folder.path("run/checkpoint.safetensors");
};

/// Changes bit `bit` of the byte at `place` of a file.
void flip(const std::string& path, std::size_t place, int bit) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(place));
  const char byte = static_cast<char>(file.get() ^ (1 << bit));
  file.seekp(static_cast<std::streamoff>(place));
  file.put(byte);
}

using Metadata = std::map<std::string, std::string>;

/// Writes a checkpoint of float again, with other metadata.
void rewrite(const std::string& path, const std::function<void(Metadata&)>& change) {
  const auto file = SafetensorsFile::load(path);
  std::deque<std::vector<float>> values;
  std::vector<TensorToStore> tensors;
  for (const std::string& name : file.names()) {
    values.push_back(file.values<float>(name));
    tensors.push_back({name, file.shape(name), StoredType::F32, values.back().data()});
  }
  Metadata metadata = file.metadata();
  change(metadata);
  write_safetensors(path, tensors, metadata);
}

/// The reason why the newer of two checkpoints is skipped after a change of its metadata; "" if it is not skipped.
std::string skipped_after(const std::function<void(Metadata&)>& change) {
  const TwoCheckpoints two;
  rewrite(two.newest, change);
  const auto loaded = two.run.load<float>(two.layout, recipe);
  CHECK(loaded.state.step == (loaded.skipped_checkpoints.empty() ? 71 : 70));
  return loaded.skipped_checkpoints;
}

}  // namespace

TEMPLATE_TEST_CASE("checkpoint: everything comes back bit for bit", "", float, double) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path("run"));
  const Layout layout = small_layout();
  const auto saved = full_snapshot<TestType>(layout);
  CHECK_FALSE(run.has_checkpoint());
  run.save(layout, saved, recipe);
  CHECK(run.has_checkpoint());
  CHECK(run.recipe() == recipe);
  const auto loaded = run.load<TestType>(layout, recipe);
  CHECK(loaded.weights == saved.weights);
  CHECK(loaded.m == saved.m);
  CHECK(loaded.v == saved.v);
  CHECK(loaded.state == saved.state);
  CHECK(loaded.metadata == callers_text);
  CHECK(loaded.skipped_checkpoints.empty());
  CHECK(folder.names() == std::set<std::string>{"run"});
}

TEST_CASE("checkpoint: the state is equal to itself alone, and its text says every field") {
  const TrainingState state = full_state();
  CHECK(training_state(to_text(state), "test") == state);
  for (const auto& [name, change] : changes_of_state()) {
    TrainingState other = state;
    change(other);
    INFO(name);
    CHECK_FALSE(other == state);
    CHECK(to_text(other) != to_text(state));
    CHECK(training_state(to_text(other), "test") == other);
  }
}

TEST_CASE("checkpoint: a state that lacks a field, or holds what is no count, is an error") {
  const auto whole = nlohmann::json::parse(to_text(full_state()));
  REQUIRE(whole.size() == changes_of_state().size());
  for (const auto& [name, change] : changes_of_state()) {
    INFO(name);
    auto lacking = whole, negative = whole, wide = whole, word = whole;
    lacking.erase(name);
    word[name] = "seven";
    CHECK_THROWS_AS(training_state(word.dump(), "test"), Error);
    if (name == "best" || name == "plateau_best") continue;  // before the first validation there is none
    if (name != "not_better")                                // earlier checkpoints lack it
      CHECK_THROWS_AS(training_state(lacking.dump(), "test"), Error);
    negative[name] = -1, wide[name] = 4294967296;
    CHECK_THROWS_AS(training_state(negative.dump(), "test"), Error);
    CHECK_THROWS_AS(training_state(wide.dump(), "test"), Error);
    if (name == "finished") continue;
    wide[name] = 4294967295;
    CHECK_NOTHROW(training_state(wide.dump(), "test"));
  }
}

TEST_CASE("checkpoint: one wrong bit in any value, and the one before it is taken") {
  const TwoCheckpoints two;
  const std::size_t size = std::filesystem::file_size(two.newest), bytes = 3 * two.layout.size() * sizeof(float);
  for (std::size_t place = size - bytes; place < size; ++place) {
    INFO("byte " << place - (size - bytes) << " of the values");
    flip(two.newest, place, static_cast<int>(place % 8));
    const auto loaded = two.run.load<float>(two.layout, recipe);
    CHECK(loaded.state.step == 70);
    CHECK_THAT(loaded.skipped_checkpoints, contains(two.newest + ": the checksum is wrong"));
    flip(two.newest, place, static_cast<int>(place % 8));
  }
  CHECK(two.run.load<float>(two.layout, recipe).state.step == 71);  // whole again
}

TEST_CASE("checkpoint: another state, other metadata, another checksum or recipe in the file are noticed") {
  CHECK(skipped_after([](Metadata&) {}).empty());
  for (const auto& [name, change] : changes_of_state()) {
    TrainingState other = full_state();
    change(other);
    INFO(name);
    CHECK_THAT(skipped_after([&](Metadata& m) { m["state"] = to_text(other); }), contains("checksum is wrong"));
  }
  CHECK_THAT(skipped_after([](Metadata& m) { m["notes"].back() = '.'; }), contains("checksum is wrong"));
  CHECK_THAT(skipped_after([](Metadata& m) { m["notes"].clear(); }), contains("checksum is wrong"));
  CHECK_THAT(skipped_after([](Metadata& m) { m["sha256"].back() ^= 1; }), contains("checksum is wrong"));
  CHECK_THAT(skipped_after([](Metadata& m) { m["recipe"].back() = ' '; }), contains("run with other options"));
  for (const std::string entry : {"recipe", "state", "notes", "sha256"}) {
    CHECK_THAT(skipped_after([&](Metadata& m) { m.erase(entry); }), contains("not a checkpoint"));
  }
}

TEST_CASE("checkpoint: one of another model or another recipe is not loaded") {
  const TwoCheckpoints two;
  CHECK_THROWS_WITH(two.run.load<float>(two.layout, "other"), contains("run with other options"));
  Layout more = small_layout(), wider;
  more.declare({"c", Kind::bias, {1}});
  more.finish();
  CHECK_THROWS_WITH(two.run.load<float>(more, recipe), contains("there is no tensor c"));
  for (const Slice& s : two.layout.slices())
    wider.declare({s.name, s.kind, s.name == "w" ? std::vector<std::size_t>{3, 2} : s.shape});
  wider.finish();
  CHECK_THROWS_WITH(two.run.load<float>(wider, recipe), contains("w has another shape"));
}

TEST_CASE("checkpoint: the newest is taken, then the one before, then one whose renaming was cut off") {
  const TwoCheckpoints two;
  const auto file = [&](const std::string& name) {
    return two.folder.path("run/checkpoint" + name + ".safetensors");
  };
  const auto step = [&] { return two.run.load<float>(two.layout, recipe).state.step; };
  CHECK(two.folder.names() == std::set<std::string>{"run"});
  CHECK(step() == 71);
  std::filesystem::rename(file(""), file("-next"));
  CHECK(step() == 70);
  CHECK(two.run.recipe() == recipe);
  std::filesystem::remove(file("-before"));
  CHECK(step() == 71);
  std::filesystem::remove(file("-next"));
  CHECK_FALSE(two.run.has_checkpoint());
  CHECK_THROWS_WITH(step(), contains("there is no checkpoint"));
}

TEST_CASE("checkpoint: where none is whole, the message says what is wrong with each") {
  const TwoCheckpoints two;
  const std::string before = two.folder.path("run/checkpoint-before.safetensors");
  for (const std::string& path : {two.newest, before}) std::filesystem::resize_file(path, 3);
  const std::string each = ": not a whole safetensors file: too short to be one";
  const std::string all = two.newest + each + "; " + before + each +
                          "; there is no other checkpoint, so the run must start again (--overwrite)";
  CHECK(error_of([&] { two.run.load<float>(two.layout, recipe); }) == all);
  CHECK(error_of([&] { two.run.recipe(); }) == all);
}

TEST_CASE("checkpoint: weights are averaged element by element; an empty average is an error") {
  const TemporaryFolder folder;
  const RunFolder run(folder.path("run"));
  const Layout layout = small_layout();
  const std::size_t n = layout.size();
  run.save_weights("a", layout, std::vector<float>(n, 1.0F));
  run.save_weights("b", layout, std::vector<float>(n, 16777216.0F));  // beyond it floats have no ones
  run.save_weights("c", layout, std::vector<float>(n, 2.0F));
  CHECK(run.average<float>({"a"}, layout) == std::vector<float>(n, 1.0F));
  CHECK(run.average<float>({"a", "c"}, layout) == std::vector<float>(n, 1.5F));
  CHECK(run.average<double>({"a", "b", "c"}, layout) == std::vector<double>(n, 16777219.0 / 3));
  CHECK_THAT(error_of([&] { run.average<float>({}, layout); }), contains("no weights to average"));
  CHECK_THAT(error_of([&] { run.average<float>({"d"}, layout); }), contains("cannot read"));
}

TEMPLATE_TEST_CASE("checkpoint: a weight that is not finite is not saved, and what was there stays", "", float,
                   double) {
  using Limits = std::numeric_limits<TestType>;
  const Layout layout = small_layout();
  const auto whole = full_snapshot<TestType>(layout);
  for (const TestType bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    for (const std::size_t place : {std::size_t{0}, layout.size() - 1}) {
      const TemporaryFolder folder;
      const RunFolder run(folder.path("run"));
      run.save(layout, whole, recipe);
      run.save_weights("best", layout, whole.weights);
      auto broken = whole;
      broken.weights[place] = bad;
      broken.state.step = 72;
      CHECK(error_of([&] { run.save(layout, broken, recipe); }) ==
            "after step 72 there is a weight that is not finite, so nothing is saved; a lower learning rate may "
            "help");
      CHECK_THAT(error_of([&] { run.save_weights("best", layout, broken.weights); }), contains("not finite"));
      CHECK(run.load<TestType>(layout, recipe).state.step == 71);
      CHECK(load_weights<TestType>(folder.path("run/best.safetensors"), layout) == whole.weights);
    }
  }
}
