// gradus import: the vocabulary of opus-mt's own files, two models of pieces and a list in YAML.

#include <algorithm>
#include <filesystem>

#include "app/import/student.hpp"
#include "app/import/vocabulary_yaml.hpp"
#include "chapters/11_translator/imported_models.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/text/pieces/piece_model.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("import list: a model of opus-mt has two models of pieces and one list, which decides the ids") {
  const Playground place("import-list");
  const std::string hub = place.file("hub"), spm = read_file(student_folder("npz") + "/vocab.spm");
  const ModelFiles one = import_student(student_folder("npz"));
  std::filesystem::create_directory(hub);
  std::filesystem::copy_file(student_folder("npz") + "/model.npz", hub + "/model.npz");
  place.write("hub/source.spm", spm);
  place.write("hub/target.spm", spm);
  std::vector<std::string> pieces;
  for (const auto& piece : read_piece_model(spm, "spm").pieces) pieces.push_back(piece.text);
  REQUIRE(pieces.back().find_first_of("\"\\") == std::string::npos);
  const auto imported = [&] {
    std::string list;
    for (std::size_t id = 0; id < pieces.size(); ++id)
      list += "\"" + pieces[id] + "\": " + std::to_string(id) + "\n";
    place.write("hub/opus.vocab.yml", list);
    return import_student(hub);
  };
  const std::string text = "A dog runs.";
  const ModelFiles same = imported();
  CHECK(same.weights == one.weights);
  const std::vector<int> ids = same.tokenizers.source.encode(text);
  CHECK(ids == one.tokenizers.source.encode(text));
  CHECK(same.tokenizers.target.decode(ids) == text);

  place.write("hub/target.spm", read_file(imported_folder("swish") + "/target.spm"));
  const Tokenizers two = imported().tokenizers;
  CHECK(two.source.encode(text) == ids);
  CHECK(two.target.encode(text) != ids);

  pieces[1] = "<unk>";
  std::reverse(pieces.begin() + 2, pieces.end());
  pieces[2] = ">>deu<<";
  const Tokenizer reversed = imported().tokenizers.source;
  const std::vector<int> others = reversed.encode(">>deu<< " + text);
  REQUIRE(others.size() == ids.size() + 1);
  CHECK(others[0] == Specials::count);
  const int sum = 2 * Specials::count + static_cast<int>(pieces.size()) - 3;  // of the first and the last id
  for (std::size_t k = 0; k < ids.size(); ++k) CHECK(others[k + 1] == sum - ids[k]);

  pieces.pop_back();
  CHECK_THROWS_WITH(imported(), contains("opus.vocab.yml: 149 pieces, but the weights are for 150"));
  std::filesystem::remove(hub + "/target.spm");
  CHECK_THROWS_WITH(imported(), contains("target.spm"));
  std::filesystem::remove(hub + "/opus.vocab.yml");
  CHECK_THROWS_WITH(import_student(hub), contains("has no NAME.vocab.yml"));
}

TEST_CASE("import list: pieces in YAML") {
  const std::string begin = "</s>: 0\n<unk>: 1\n";
  const auto pieces = [&](const std::string& rows) { return parse_vocabulary_yaml(begin + rows, "yml"); };
  CHECK(pieces("c: 3\n\nb: 2\n") == std::vector<std::string>{"</s>", "<unk>", "b", "c"});
  const std::pair<const char*, const char*> forms[] = {{"a: b", "a: b"},
                                                       {"\u2581:", "\u2581:"},
                                                       {"\"\\\"\"", "\""},
                                                       {"\"\\\\a\"", "\\a"},
                                                       {"'it''s'", "it's"},
                                                       {"\"a b\"", "a b"},
                                                       {"a'", "a'"},
                                                       {"\"\\x41\"", "A"},
                                                       {"\"\\xa0\"", "\u00a0"},
                                                       {"'\\x41'", "\\x41"},
                                                       {"\"#\"", "#"},
                                                       {"\"'\"", "'"},
                                                       {"\"\\u2581\"", "\u2581"},
                                                       {"\"\\U0001f600\"", "\U0001F600"}};
  for (const auto& [key, piece] : forms) {
    INFO(key);
    CHECK(pieces(std::string(key) + ": 2").back() == piece);
  }
  const auto refused = [&](const std::string& rows, const std::string& message) {
    CHECK_THROWS_WITH(pieces(rows), contains("yml: " + message));
  };
  for (const std::string row :
       {"a", "a:2", "a: ", "a: -2", "a: 2x", "a: 99999999999999999999", ": 2", "\"a: 2", "'a: 2", "\"a\"b\": 2",
        "'a'b': 2", "\"\\q\": 2", "\"\\x4\": 2", "\"\\ud800\": 2", "\"\\U00110000\": 2", "\"\\\": 2", "  - a: 2"})
    refused(row, "line 3 has another form than \"piece: id\"");
  refused("a: 2\nb: 2", "the id of \"b\" comes twice");
  refused("a: 3", "3 pieces, but an id is 3");
  CHECK_THROWS_WITH(parse_vocabulary_yaml("", "yml"), contains("the first two pieces are not </s> and <unk>"));
  CHECK_THROWS_WITH(parse_vocabulary_yaml("<unk>: 0\n</s>: 1", "yml"), contains("the first two pieces"));
}
