// Subwords of the user's own, and vocabularies of fewer pieces than were asked for.

#include <algorithm>
#include <random>

#include "gradus/text/subwords.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using gradus::SubwordModel;
using gradus::SubwordOptions;
using gradus::Subwords;
using gradus::test::contains;
using gradus::test::error_of;
using Pieces = std::vector<std::string>;

namespace {

const Pieces with_symbols = {"See <url> and a,b or <num> dogs.",
                             "A white dog runs to <url>.",
                             "The dog runs, and the dogs run.",
                             "<num> men and <num> dogs.",
                             "a,b and b,a",
                             "Small children play football on the green grass near a house.",
                             "An old woman reads a newspaper under the tree while it rains.",
                             "Two children near the house and a woman under a tree read."};

SubwordOptions with(const Pieces& symbols, SubwordModel model = SubwordModel::bpe, int vocab_size = 55) {
  SubwordOptions o;
  o.vocab_size = vocab_size, o.model = model, o.symbols = symbols;
  return o;
}

Pieces pieces_of(const Subwords& subwords, const std::string& text) {
  Pieces all;
  for (const Subwords::Piece& piece : subwords.pieces(text)) all.push_back(piece.text);
  return all;
}

std::size_t count(const Pieces& pieces, const std::string& piece) {
  return static_cast<std::size_t>(std::count(pieces.begin(), pieces.end(), piece));
}

}  // namespace

TEST_CASE("symbols: each is one piece wherever it stands, comes first in the vocabulary, and comes back") {
  const Pieces symbols = {"<url>", "a,b", "\"q\"", "dog", "\u4e2d\u6587"};
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    const Subwords subwords = Subwords::from_bytes(Subwords::train(with_symbols, with(symbols, model)));
    CHECK(subwords.size() == 55);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      CHECK(subwords.piece(static_cast<int>(4 + i)) == symbols[i]);
      for (const std::string& text :
           {symbols[i], "run" + symbols[i] + "s", "a " + symbols[i] + ".", symbols[i] + symbols[i]}) {
        INFO(text);
        CHECK(count(pieces_of(subwords, text), symbols[i]) == (text == symbols[i] + symbols[i] ? 2 : 1));
        CHECK(subwords.decode(subwords.encode(text)) == text);
      }
    }
    for (int id = 9; id < subwords.size(); ++id) {
      INFO(subwords.piece(id));
      CHECK(subwords.piece(id).find("url") == std::string::npos);  // nothing was learnt from the inside of a symbol
      CHECK(subwords.piece(id).find("dog") == std::string::npos);
    }
  }
  const Subwords plain = Subwords::from_bytes(Subwords::train(with_symbols, with({})));
  CHECK(count(pieces_of(plain, "dog"), "dog") == 0);
}

TEST_CASE("symbols: none of them changes nothing, and each of them does") {
  SubwordOptions none;
  none.vocab_size = 55;
  CHECK(Subwords::train(with_symbols, with({})) == Subwords::train(with_symbols, none));
  CHECK(Subwords::train(with_symbols, with({"<url>"})) != Subwords::train(with_symbols, none));
  CHECK(Subwords::train(with_symbols, with({"<url>", "<num>"})) !=
        Subwords::train(with_symbols, with({"<num>", "<url>"})));
}

TEST_CASE("symbols: an encoder that remembers words cuts around them as encode() does") {
  std::mt19937 random(7);
  const Pieces parts{"<url>",  "dog", "runs", ".", "  ",    "\t",   "a,b",
                     "\u4e2d", "<",   "url",  ">", "<num>", "</s>", "\xff"};
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    const Subwords subwords =
        Subwords::from_bytes(Subwords::train(with_symbols, with({"<url>", "a,b", "dog"}, model)));
    const auto encode = subwords.encoder();
    for (int i = 0; i < 2000; ++i) {
      std::string text;
      for (std::size_t n = random() % 12; n > 0; --n)
        text += parts[random() % parts.size()] + (random() % 2 ? " " : "");
      INFO(name_of(model) << ": " << text);
      CHECK(encode(text) == subwords.encode(text));
    }
  }
}

TEST_CASE("symbols: what cannot be a piece is refused") {
  const auto complaint = [](const Pieces& symbols) {
    return error_of([&] { Subwords::train(with_symbols, with(symbols)); });
  };
  CHECK_THAT(complaint({""}), contains("a symbol is empty"));
  CHECK_THAT(complaint({"a", "b", "a"}), contains("the symbol \"a\" comes twice"));
  CHECK_THAT(complaint({"</s>"}), contains("the symbol \"</s>\" comes twice, or is a special piece"));
  for (const char* special : {"<unk>", "<pad>", "<s>", "<bos>", "<eos>"})
    CHECK_THAT(complaint({"<url>", special}),
               contains("the symbol \"" + std::string(special) + "\" comes twice, or is a special"));
  for (const char* text : {"a b", "\u2581a", "a\u00a0", "\t"})
    CHECK_THAT(complaint({text}), contains("white space"));
  CHECK_THAT(complaint({"a\xff"}), contains("UTF-8"));
  CHECK_THAT(complaint({std::string("a\0b", 3)}), contains("UTF-8"));
}

TEST_CASE("subwords: at most so many, if the sentences give no more") {
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    SubwordOptions o = with({"<url>"}, model, 100000);
    o.at_most = true;
    const Subwords most = Subwords::from_bytes(Subwords::train(with_symbols, o));
    CHECK(most.size() < 300);
    o.vocab_size = most.size(), o.at_most = false;
    CHECK(Subwords::from_bytes(Subwords::train(with_symbols, o)).size() == most.size());
    ++o.vocab_size;
    CHECK_THROWS_AS(Subwords::train(with_symbols, o), gradus::Error);  // so no more were possible
    o.vocab_size = 56, o.at_most = true;
    CHECK(Subwords::from_bytes(Subwords::train(with_symbols, o)).size() == 56);
    o.vocab_size = 9;
    CHECK_THAT(error_of([&] { Subwords::train(with_symbols, o); }), contains("or more"));
  }
}
