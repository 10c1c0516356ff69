#include "11_translator/storage/model_description.hpp"
#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const std::string text = to_json(model_description(bytes, "model.json"));
    demand(to_json(model_description(text, "model.json")) == text);
  });
}
