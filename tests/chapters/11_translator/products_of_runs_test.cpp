// Which products a run has, on a GPU and on a processor, at its beginning and when it continues.

#include <nlohmann/json.hpp>

#include "11_translator/training/run_in_progress.hpp"
#include "11_translator/training/train_on.hpp"
#include "11_translator/translator/engine_on.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "support/catch.hpp"

namespace gradus {

namespace {

DeviceChoice device = DeviceChoice::cpu;
TrainingRequest seen;  ///< the request of the last training

}  // namespace

// A machine whose device the test chooses. The linker takes these three functions instead of the program's. A training on the
// "GPU" computes on this processor.
DeviceChoice device_taken(DeviceChoice) { return device; }

std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice, const ModelFiles& files, SearchWeights) {
  return std::make_shared<const EngineOn<Cpu<float>>>(files);
}

TrainingEnd train_on(DeviceChoice, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const std::optional<RunFolder>& folder,
                     const std::string& recipe, Ranks& ranks) {
  seen = request;
  TrainingRequest r = request;
  r.plan.products = Products::exact;
  return RunInProgress<Cpu<float>>(r, data, listener, folder, recipe, ranks).run();
}

}  // namespace gradus

using namespace gradus;
using namespace gradus::test;

namespace {

/// One step of a run in that folder, on that device. Returns the line that says something of products.
std::string step_on(DeviceChoice taken, const std::string& folder, std::optional<Products> products,
                    std::uint32_t step = 1) {
  device = taken;
  TrainingRequest r = small(folder);
  r.plan.products = products;
  r.max_steps = step;
  r.command = {"gradus", "train", "--output", "DIR"};
  std::string told;
  TrainingListener listener;
  listener.say = [&](const std::string& line) {
    if (line.find("multiplying") != std::string::npos) told += line;
  };
  const TrainingEnd end = train(r, listener);  // may throw
  REQUIRE(end == TrainingEnd::stopped);
  return told;
}

/// The products in the recipe of the run: "none" if it names none.
std::string recorded(const std::string& folder) {
  return nlohmann::json::parse(RunFolder(folder).recipe()).value("products", "none");
}

std::string command() {
  std::string words;
  for (const std::string& word : seen.command) words += word + " ";
  return words;
}

constexpr DeviceChoice gpu_ = DeviceChoice::cuda, processor = DeviceChoice::cpu;

}  // namespace

TEST_CASE("products of a run: tf32 on a GPU and exact ones on a processor, if none are asked for") {
  const Playground place("products");
  CHECK_THAT(step_on(gpu_, place.file("gpu"), {}), contains("multiplying with tf32 products"));
  CHECK(recorded(place.file("gpu")) == "tf32");
  CHECK(seen.plan.products == Products::tf32);
  CHECK(command() == "gradus train --products tf32 --output DIR ");
  CHECK(step_on(processor, place.file("cpu"), {}).empty());
  CHECK(recorded(place.file("cpu")) == "none");
  CHECK(seen.plan.products == Products::exact);
  CHECK(command() == "gradus train --output DIR ");
}

TEST_CASE("products of a run: those that are asked for") {
  const Playground place("products-given");
  CHECK(step_on(gpu_, place.file("exact"), Products::exact).empty());
  CHECK(recorded(place.file("exact")) == "none");
  CHECK(seen.plan.products == Products::exact);
  step_on(gpu_, place.file("bf16"), Products::bf16);
  CHECK(recorded(place.file("bf16")) == "bf16");
  device = processor;
  TrainingRequest r = small(place.file("none"));
  r.plan.products = Products::bf16;
  CHECK_THROWS_WITH(train(r, {}), contains("--products bf16 is for a GPU"));
}

TEST_CASE("products of a run: one that continues keeps its own") {
  const Playground place("products-kept");
  const std::string older = place.file("older"), coarse = place.file("coarse");
  step_on(gpu_, older, Products::exact);  // its recipe is that of a run before there was a choice
  CHECK(step_on(gpu_, older, {}, 2).empty());
  CHECK(seen.plan.products == Products::exact);
  CHECK(command() == "gradus train --products exact --output DIR ");
  CHECK_THROWS_WITH(step_on(gpu_, older, Products::tf32, 3),
                    contains("other choices (--products tf32 here, exact in the run)"));
  step_on(gpu_, coarse, Products::bf16);
  step_on(gpu_, coarse, {}, 2);
  CHECK(seen.plan.products == Products::bf16);
  CHECK_THROWS_WITH(step_on(processor, coarse, {}, 3),
                    contains("holds a run with bf16 products, which need a GPU"));
}

TEST_CASE("products of a run: a run that is removed does not decide them") {
  const Playground place("products-anew");
  step_on(gpu_, place.file("run"), Products::bf16);
  device = gpu_;
  TrainingRequest r = small(place.file("run"));
  r.overwrite = true;
  r.max_steps = 1;
  REQUIRE(train(r, {}) == TrainingEnd::stopped);
  CHECK(recorded(place.file("run")) == "tf32");
}

TEST_CASE(
    "products of a run: on a GPU, an environment that would change them is refused before anything is written") {
  const Playground place("products-override");
  const auto refused = [&](const char* value, std::optional<Products> products, const std::string& part) {
    setenv("NVIDIA_TF32_OVERRIDE", value, 1);
    CHECK_THROWS_WITH(step_on(gpu_, place.file("run"), products), contains(part));
    unsetenv("NVIDIA_TF32_OVERRIDE");
    CHECK_FALSE(std::filesystem::exists(place.file("run")));
  };
  refused("1", Products::exact, "NVIDIA_TF32_OVERRIDE=1");
  refused("1", {}, "NVIDIA_TF32_OVERRIDE=1");  // validation would not be exact
  refused("0", {}, "NVIDIA_TF32_OVERRIDE=0");
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  CHECK(step_on(processor, place.file("run"), {}).empty());
  unsetenv("NVIDIA_TF32_OVERRIDE");
}
