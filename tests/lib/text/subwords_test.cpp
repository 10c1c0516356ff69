#include "gradus/text/subwords.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using gradus::Error;
using gradus::SubwordModel;
using gradus::SubwordOptions;
using gradus::Subwords;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> sentences = {
    "Ein weißer Hund läuft über die grüne Wiese.",  "Zwei Männer stehen auf der Straße.",
    "Ein Mädchen trägt ein Körbchen voller Äpfel.", "Im Park spielt ein Kind mit einem Ball.",
    "Die Frau läuft, weil der Bus kommt.",          "Übermütige Hunde spielen auf der Wiese.",
    "A white dog runs across the green meadow.",    "Two men are standing in the street.",
    "A girl carries a basket full of apples.",      "A child is playing with a ball in the park.",
    "The woman runs because the bus is coming.",    "Playful dogs are playing in the meadow."};

SubwordOptions options(int vocab_size, SubwordModel model = SubwordModel::bpe) {
  SubwordOptions result;
  result.vocab_size = vocab_size;
  result.model = model;
  return result;
}

Subwords learnt(SubwordModel model = SubwordModel::bpe) {
  return Subwords::from_bytes(Subwords::train(sentences, options(70, model)));
}

int last_number(const std::string& text) {
  const auto end = text.find_last_of("0123456789");
  const auto begin = text.find_last_not_of("0123456789", end);
  return std::stoi(text.substr(begin + 1));
}

/// The output on one of the process's own streams (1 or 2) while `f` runs: libraries do not use our streams.
template <class F>
std::string written_to(int stream, const F& f) {
  std::FILE* file = std::tmpfile();
  std::fflush(nullptr);
  const int saved = dup(stream);
  dup2(fileno(file), stream);
  f();
  std::fflush(nullptr);
  dup2(saved, stream);
  close(saved);
  std::string text(4096, ' ');
  std::rewind(file);
  text.resize(std::fread(&text[0], 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("subwords of both kinds give every training sentence back as it was") {
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    const Subwords subwords = learnt(model);
    CHECK(subwords.size() == 70);
    for (const std::string& sentence : sentences) {
      const std::vector<int> ids = subwords.encode(sentence);
      CHECK(ids.size() < sentence.size());
      CHECK(subwords.decode(ids) == sentence);
    }
  }
}

TEST_CASE("byte-pair encoding joins the pairs that the lesson counts by hand") {
  const std::vector<std::string> lesson = {
      "ein ein eine eine eine einen einen kleine kleine kleine Kind Kind Kind"};
  const Subwords subwords = Subwords::from_bytes(Subwords::train(lesson, options(16)));
  CHECK(subwords.piece(4) == "in");
  CHECK(subwords.piece(5) == "ein");
  CHECK(subwords.piece(6) == "eine");
  CHECK(subwords.piece(7) == "\u2581eine");
  const std::vector<int> kein = subwords.encode("kein");
  REQUIRE(kein.size() == 3);
  CHECK(subwords.piece(kein[0]) == "\u2581");
  CHECK(subwords.piece(kein[1]) == "k");
  CHECK(kein[2] == 5);
  CHECK(Subwords::train(lesson, options(12)) != Subwords::train(lesson, options(12, SubwordModel::unigram)));
}

TEST_CASE("words that no sentence contained are spelt with known pieces") {
  const Subwords subwords = learnt();
  const std::string text = "Ein Straßenkind überholt lachend die Wiese";
  const std::vector<int> ids = subwords.encode(text);
  CHECK(std::set<int>(ids.begin(), ids.end()).count(Subwords::specials.unk) == 0);
  CHECK(subwords.decode(ids) == text);
}

TEST_CASE("letters keep their case and nothing but white space is normalised") {
  std::vector<std::string> odd = sentences;
  odd.push_back(
      "½ Pfund „Brötchen“ … für 3 €, H₂O ﬁx");  // a compatibility normalisation would rewrite six of these
  const Subwords subwords = Subwords::from_bytes(Subwords::train(odd, options(110)));
  CHECK(subwords.decode(subwords.encode(odd.back())) == odd.back());
  CHECK(subwords.encode("Ein") != subwords.encode("ein"));
}

TEST_CASE("every run of white space becomes one space and the ends are bare") {
  const Subwords subwords = learnt();
  const std::vector<int> plain = subwords.encode("A dog runs.");
  CHECK(subwords.encode("  A\tdog \u00a0\u2009runs.\r\n") == plain);
  CHECK(subwords.encode("A\u2581dog\u3000runs.") == plain);
  CHECK(subwords.decode(plain) == "A dog runs.");
  CHECK(subwords.encode("Adog runs.") != plain);

  int space = 0;  // a model may write a space first, or two
  while (subwords.piece(space) != "\u2581") ++space;
  std::vector<int> wide = plain;
  wide.insert(wide.begin(), {space, space});
  wide.push_back(space);
  CHECK(subwords.decode(wide) == "A dog runs.");
}

TEST_CASE("an empty sentence has no ids and no ids are an empty sentence") {
  const Subwords subwords = learnt();
  CHECK(subwords.encode("").empty());
  CHECK(subwords.encode(" \t\r\n").empty());
  CHECK(subwords.decode({}).empty());
}

TEST_CASE("special pieces have the ids of the project and no text can contain them") {
  const Subwords subwords = learnt();
  CHECK(subwords.piece(Subwords::specials.pad) == "<pad>");
  CHECK(subwords.piece(Subwords::specials.unk) == "<unk>");
  CHECK(subwords.piece(Subwords::specials.bos) == "<s>");
  CHECK(subwords.piece(Subwords::specials.eos) == "</s>");
  std::vector<int> ids = subwords.encode("A dog runs.");
  ids.insert(ids.begin(), {Subwords::specials.bos, Subwords::specials.pad});
  ids.push_back(Subwords::specials.eos);
  CHECK(subwords.decode(ids) == "A dog runs.");
  for (const int id : subwords.encode("<pad> <s> a </s>")) {
    CHECK(id != Subwords::specials.pad);
    CHECK(id != Subwords::specials.bos);
    CHECK(id != Subwords::specials.eos);
  }
}

TEST_CASE("characters that were never seen become unk, once for each run of them") {
  const Subwords subwords = learnt();
  const std::vector<int> ids = subwords.encode("A ☃☂ dog");
  CHECK(std::count(ids.begin(), ids.end(), Subwords::specials.unk) == 1);
  CHECK(subwords.decode(ids) == "A \u2047 dog");
}

TEST_CASE("pieces have the ids of encode and the text of each; an unknown piece has the unknown characters") {
  const Subwords subwords = learnt();
  for (const char* text : {"", "A dog runs.", "A \u2603\u2602 dog", " two  dogs\t"}) {
    std::vector<int> ids;
    for (const Subwords::Piece& piece : subwords.pieces(text)) {
      ids.push_back(piece.id);
      const bool is_unknown = piece.id == Subwords::specials.unk;
      CHECK(piece.text == (is_unknown ? "\u2603\u2602" : subwords.piece(piece.id)));
    }
    CHECK(ids == subwords.encode(text));
  }
  CHECK(subwords.pieces("A \u2603\u2602 dog").size() > 3);
}

TEST_CASE("ids outside of the vocabulary are an error") {
  const Subwords subwords = learnt();
  CHECK_THROWS_WITH(subwords.decode({5, 70}), contains("subword id 70") && contains("0 to 69"));
  CHECK_THROWS_AS(subwords.decode({-1}), Error);
  CHECK_THROWS_AS(subwords.piece(70), Error);
}

TEST_CASE("the same sentences give the same bytes, others give others") {
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    const std::string bytes = Subwords::train(sentences, options(70, model));
    CHECK(Subwords::train(sentences, options(70, model)) == bytes);
    std::vector<std::string> fewer(sentences.begin(), sentences.end() - 1);
    CHECK(Subwords::train(fewer, options(70, model)) != bytes);
  }
}

TEST_CASE("a size that the sentences cannot fill is an error that names the nearest one that works") {
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    const std::string large = error_of([&] { Subwords::train(sentences, options(100000, model)); });
    CHECK_THAT(large, contains("no vocabulary of 100000 pieces") && contains("at most"));
    const int largest = last_number(large);
    CHECK(Subwords::from_bytes(Subwords::train(sentences, options(largest, model))).size() == largest);
    CHECK_THROWS_AS(Subwords::train(sentences, options(largest + 1, model)), Error);

    const std::string small = error_of([&] { Subwords::train(sentences, options(10, model)); });
    CHECK_THAT(small, contains("or more"));
    const int smallest = last_number(small);
    CHECK(Subwords::from_bytes(Subwords::train(sentences, options(smallest, model))).size() == smallest);
    CHECK_THROWS_AS(Subwords::train(sentences, options(smallest - 1, model)), Error);
    for (const int size : {4, 1, 0, -3}) {
      CHECK_THROWS_WITH(Subwords::train(sentences, options(size, model)),
                        contains("no vocabulary of " + std::to_string(size) + " pieces") &&
                            contains("ask for " + std::to_string(smallest) + " or more"));
    }
  }
}

TEST_CASE("subwords: texts without usable words are an error") {
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    CHECK_THROWS_WITH(Subwords::train({}, options(70, model)), contains("empty"));
    CHECK_THROWS_WITH(Subwords::train({"", " \t", "\u2581"}, options(70, model)), contains("empty"));
    CHECK_THROWS_WITH(Subwords::train({std::string(5000, 'a')}, options(70, model)), contains("4,192 bytes"));
  }
}

TEST_CASE("bytes that are not UTF-8, NUL and endless lines are taken without harm") {
  const std::string nul = std::string("A") + '\0' + "dog";
  const std::string broken = "A \xff\xc3 dog \xe2\x82";
  std::string endless, letters(100000, 'o');
  for (int word = 0; word < 10000; ++word) endless += "dog" + std::to_string(word % 7) + " ";
  for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
    std::vector<std::string> all = sentences;
    all.insert(all.end(), {nul, broken, endless, letters});
    for (const auto& subwords : {learnt(model), Subwords::from_bytes(Subwords::train(all, options(75, model)))}) {
      for (const std::string& text : {nul, broken}) {
        const std::string back = subwords.decode(subwords.encode(text));
        CHECK_THAT(back, contains("A") && contains("dog"));
      }
      CHECK(subwords.encode(endless).size() >= 10000);
      CHECK(subwords.decode(subwords.encode(letters)) == letters);
    }
  }
}

TEST_CASE("learning and complaining are silent and leave no file behind") {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path(""));
  for (const int stream : {1, 2}) {
    const std::string text = written_to(stream, [] {
      for (const SubwordModel model : {SubwordModel::bpe, SubwordModel::unigram}) {
        Subwords::from_bytes(Subwords::train(sentences, options(70, model)));
        error_of([&] { Subwords::train(sentences, options(100000, model)); });
        error_of([&] { Subwords::train({}, options(70, model)); });
        error_of([&] { Subwords::from_bytes("no model"); });
        error_of([&] { Subwords::load("no/such/file"); });
      }
    });
    CHECK(text.empty());
  }
  fs::current_path(before);
  CHECK(folder.names().empty());
}

TEST_CASE("a model is read from a file; another file gives an error of one line") {
  const TemporaryFolder folder;
  const std::string bytes = Subwords::train(sentences, options(70));
  const auto load = [&](const std::string& content) { return Subwords::load(folder.write("a.model", content)); };
  CHECK(load(bytes).encode(sentences[0]) == learnt().encode(sentences[0]));
  for (const std::string& content : {std::string(), std::string("hello"), std::string(1000, '\0'),
                                     std::string(1000, '\xff'), "PK\x03\x04" + bytes, bytes + "x"}) {
    const std::string message = error_of([&] { load(content); });
    CHECK_THAT(message, contains(folder.path("a.model: ")) && contains("this is no whole SentencePiece model"));
  }
  for (const std::string& path : {folder.path("missing"), folder.path("")}) {
    CHECK_THAT(error_of([&] { Subwords::load(path); }), contains("cannot read " + path));
  }
}

TEST_CASE("a model that was cut anywhere is never taken for a smaller one") {
  const std::string bytes = Subwords::train(sentences, options(70));
  const std::vector<int> ids = learnt().encode(sentences[0]);
  int refused = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string cut = bytes.substr(0, length);
    const std::string text = error_of([&] {
      const Subwords subwords = Subwords::from_bytes(cut, "cut.model");
      CHECK(subwords.size() == 70);  // only bytes after the last needed setting are missing
      CHECK(subwords.encode(sentences[0]) == ids);
    });
    refused += text != "no error";
  }
  CHECK(refused >= static_cast<int>(bytes.size()) - 8);
}

TEST_CASE("a foreign model with other special ids is refused") {
  std::string bytes = Subwords::train(sentences, options(70));
  const std::size_t at = bytes.find("<pad>");
  REQUIRE(at != std::string::npos);
  bytes.replace(at, 5, "<PAD>");  // the piece that the settings call <pad> is gone
  CHECK_THROWS_WITH(Subwords::from_bytes(bytes, "foreign.model"), contains("foreign.model") && contains("pad 0"));
}
