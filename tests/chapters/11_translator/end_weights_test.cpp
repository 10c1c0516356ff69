// The weights that the end of a run reads: a run that goes on without them is refused before it trains.
#include "10_training/trainer.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Steps of an epoch of the run, counted by a short training beside it.
std::uint32_t steps_of_epoch(TrainingRequest r) {
  r.output += "-counted", r.plan.epochs = 1;
  std::uint32_t all = 0;
  TrainingListener listener;
  listener.on_step = [&](const StepReport&, std::uint32_t of) { all = of; };
  train(r, listener);
  return all;
}

}  // namespace

TEST_CASE("going on: weights that the end of the run needs are looked for before the training, not behind it") {
  const Playground place("end-weights");
  TrainingRequest r = small(place.file("run"));
  r.plan.average_last = 3, r.plan.epochs = 4;
  r.max_steps = 2 * steps_of_epoch(r) + 1;
  REQUIRE(train(r, {}) == TrainingEnd::stopped);
  r.max_steps = 0;
  for (const char* name : {"best.safetensors", "recent-0.safetensors", "recent-1.safetensors"}) {
    const std::string file = r.output + "/" + name, whole = read_file(file);
    for (const std::string& text : {std::string(), whole.substr(0, whole.size() - 9)}) {
      place.write("run/" + std::string(name), text);
      std::size_t steps = 0;
      TrainingListener counts;
      counts.on_step = [&](const StepReport&, std::uint32_t) { ++steps; };
      const std::string complaint = error_of([&] { train(r, counts); });
      INFO(complaint);
      CHECK(complaint.find(name) != std::string::npos);
      CHECK(complaint.find("--init-from " + r.output) != std::string::npos);
      CHECK(steps == 0);
    }
    place.write("run/" + std::string(name), whole);
  }
  CHECK(train(r, {}) == TrainingEnd::finished);
}
