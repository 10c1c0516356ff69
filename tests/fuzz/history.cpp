#include "11_translator/training/record/training_history.hpp"

#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const std::string text = to_json(training_history(bytes, "checkpoint"));
    demand(to_json(training_history(text, "checkpoint")) == text);
  });
}
