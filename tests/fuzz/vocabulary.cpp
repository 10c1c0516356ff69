#include "01_embedding/vocabulary.hpp"

#include "fuzz/target.hpp"

using namespace gradus;
using namespace gradus::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return survives(data, size, [](const std::string& bytes) {
    const bool lower_case = bytes.size() % 2 == 1;
    for (const WordRules rules : {WordRules::unicode, WordRules::bytes}) {
      const Vocabulary words = Vocabulary::parse(bytes, "words.txt", lower_case, rules);
      const std::string text = words.text();
      demand(Vocabulary::parse(text, "words.txt", lower_case, rules).text() == text);
      for (const int id : words.encode(bytes)) demand(id >= 0 && id < words.size());
    }
  });
}
