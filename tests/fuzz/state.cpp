#include "10_training/run/checkpoint.hpp"
#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const TrainingState state = training_state(bytes, "checkpoint");
    demand(training_state(to_text(state), "checkpoint") == state);
  });
}
