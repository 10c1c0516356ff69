#include "app/import/marian_binary.hpp"
#include "app/import/student_config.hpp"

#include "fuzz/target.hpp"
#include "gradus/text/specials.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

void check_config(std::string_view text) {
  const ModelConfig config = parse_student_config(text, "model.yml");
  demand(config.source_vocab == config.target_vocab && config.target_vocab >= Specials::count);
}

}  // namespace

/// The bytes as a file of weights, whose text is a configuration, and as a configuration.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  survives(data, size, [](const std::string& bytes) {
    const MarianFile file = parse_marian_binary(bytes, "model.bin");
    std::size_t total = 0;
    for (const std::string& name : file.names()) {
      if (file.type(name) != MarianFile::Type::bytes) total += file.values<double>(name).size();
    }
    demand(total <= bytes.size());  // a value takes at least a byte
    check_config(file.text(marian_configuration));
  });
  return survives(data, size, check_config);
}
