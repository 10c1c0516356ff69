#include "app/import/marian_config.hpp"

#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

/// The bytes as config.json, and as the vocab.json of a model of five words.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  survives(data, size, [](const std::string& bytes) {
    const MarianConfig config = parse_marian_config(bytes, "config.json");
    demand(config.vocab + 1 == config.model.target_vocab);
  });
  return survives(data, size, [](const std::string& bytes) {
    MarianConfig config;
    config.vocab = 5, config.eos = 0, config.pad = 4;
    const std::vector<std::string> pieces = parse_marian_vocabulary(bytes, "vocab.json", config);
    const std::vector<std::size_t> rows = marian_rows(pieces, config);
    demand(pieces.size() == config.vocab && rows.size() == config.vocab + 1);
  });
}
