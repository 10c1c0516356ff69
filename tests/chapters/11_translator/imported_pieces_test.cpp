// The vocabulary of an imported model: its file, and what a text becomes.

#include "11_translator/data/imported_pieces.hpp"
#include "gradus/io/atomic_file.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<std::string> some_pieces{"<pad>",   "<unk>",    "<bos>", "</s>",
                                           "\u2581A", "\u2581do", "g",     ">>deu<<"};

std::string model_file(const std::string& name) {
  return read_regular_file(std::string(GRADUS_GOLDEN) + "/import_" + name, 1'000'000);
}

std::string message(const std::string& bytes) {
  try {
    parse_imported(bytes, "V");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("imported pieces: a file holds the list and both models") {
  const std::string bytes = imported_bytes({some_pieces, "one", "three"});
  const ImportedVocabulary v = parse_imported(bytes, "V");
  CHECK(v.pieces == some_pieces);
  CHECK(v.source_model == "one");
  CHECK(v.target_model == "three");
}

TEST_CASE("imported pieces: damaged files are refused") {
  const std::string bytes = imported_bytes({some_pieces, "one", "three"});
  for (std::size_t length = 0; length < bytes.size(); ++length) CHECK(message(bytes.substr(0, length)) != "none");
  CHECK_THAT(message(bytes + "x"), contains("V: not a whole imported vocabulary"));
  const auto with = [](std::size_t id, const std::string& piece) {
    std::vector<std::string> pieces = some_pieces;
    pieces[id] = piece;
    std::string text = "gradus imported vocabulary 1\n8 0 0\n";
    for (const std::string& one : pieces) text += one + "\n";
    return message(text);
  };
  CHECK(with(7, "h") == "none");
  CHECK(with(2, "<s>") == "V: piece 2 is not <bos>");
  CHECK(with(7, "g") == "V: piece 7, \"g\", comes twice");
  CHECK(with(7, "") == "V: piece 7 is empty");
  CHECK_THAT(with(7, "\xff"), contains("V: piece 7 is no text in UTF-8"));
  CHECK_THROWS_WITH(imported_bytes({{"<pad>", "<unk>"}, "", ""}), contains("piece 2 is missing"));
}

TEST_CASE("imported pieces: each side cuts with its own model, and the list has the ids") {
  const std::string bytes =
      imported_bytes({some_pieces, model_file("swish/source.spm"), model_file("relu/target.spm")});
  const auto source = ImportedPieces::from_bytes(bytes, "V", Side::source);
  const auto target = ImportedPieces::from_bytes(bytes, "V", Side::target);
  CHECK(source.size() == 8);
  CHECK(source.encode(">>deu<<").front() == 7);
  CHECK(source.encode(">>fra<< A").front() == 1);
  CHECK(source.encode("A") == std::vector<int>{4});
  std::string cut;
  for (const auto& piece : target.pieces("ein Hund")) cut += piece.text;
  CHECK(cut == "\u2581ein\u2581Hund");
  CHECK(source.decode({2, 4, 5, 6, 1, 3, 0}) == "A dog \u2047");
  CHECK_THROWS_WITH(source.decode({8}), contains("piece 8 does not exist"));
  CHECK_THROWS_WITH(source.piece(-1), contains("ids 0 to 7"));
}
