#include "11_translator/data/imported_pieces.hpp"

#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    demand(imported_bytes(parse_imported(bytes, "pieces.imported")) == bytes);
    const auto pieces = ImportedPieces::from_bytes(bytes, "pieces.imported", Side::source);
    for (const std::string& text : {bytes, std::string(">>deu<< A dog runs \u00fcber die Stra\u00dfe.")}) {
      const std::vector<int> ids = pieces.encode(text);
      for (const int id : ids) demand(id >= 0 && id < pieces.size());
      pieces.decode(ids);
    }
  });
}
