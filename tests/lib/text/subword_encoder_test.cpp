#include <random>

#include "gradus/text/subwords.hpp"
#include "support/catch.hpp"

using gradus::SubwordModel;
using gradus::SubwordOptions;
using gradus::Subwords;

TEST_CASE("an encoder that remembers words gives the ids of encode()") {
  std::mt19937 random(1);
  const std::vector<std::string> sentences{"A dog runs.", "A white dog runs across the green meadow.",
                                           "Zwei große Hunde.", "Two men are standing in the street."};
  const std::vector<std::string> parts{"A",      "dog",
                                       "runs",   ".",
                                       "  ",     "\t",
                                       "\u2581", "\u00a0",
                                       "ß",      "\u4e2d",
                                       "\u6587", "\xc3",
                                       "\xff",   std::string("\0", 1),
                                       "<unk>",  "</s>",
                                       " a b ",  std::string(70, 'x')};
  for (const SubwordModel kind : {SubwordModel::bpe, SubwordModel::unigram}) {
    SubwordOptions options;
    options.vocab_size = 38;
    options.model = kind;
    const Subwords subwords = Subwords::from_bytes(Subwords::train(sentences, options));
    const auto encode = subwords.encoder();
    for (int i = 0; i < 2000; ++i) {
      std::string text;
      for (std::size_t n = random() % 12; n > 0; --n)
        text += parts[random() % parts.size()] + (random() % 2 ? " " : "");
      INFO(name_of(kind) << ": " << text);
      CHECK(encode(text) == subwords.encode(text));
    }
  }
}
