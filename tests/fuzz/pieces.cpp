#include "gradus/text/pieces/segmenter.hpp"

#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const Segmenter segmenter(bytes, "subwords.model");
    for (const std::string& text : {bytes, std::string("A dog runs \u00fcber die Stra\u00dfe.")}) {
      const std::vector<int> ids = segmenter.encode(text);
      for (const int id : ids) demand(id >= 0 && id < segmenter.size());
      segmenter.decode(ids);
    }
  });
}
