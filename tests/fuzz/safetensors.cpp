#include "gradus/io/safetensors.hpp"

#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const auto file = SafetensorsFile::parse(bytes, "file");
    std::size_t total = 0;
    for (const std::string& name : file.names()) {
      const StoredType type = file.type(name);
      const bool real = type == StoredType::F16 || type == StoredType::F32 || type == StoredType::F64;
      total += real ? file.values<double>(name).size() : file.integers(name).size();
    }
    demand(total <= bytes.size());  // a value takes at least a byte
  });
}
