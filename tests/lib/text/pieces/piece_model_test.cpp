// The reader of model files: whatever the bytes are, a model or one line that names the field.

#include "gradus/text/pieces/piece_model.hpp"

#include "gradus/text/pieces/segmenter.hpp"
#include "lib/io/files.hpp"
#include "lib/text/pieces/unused.hpp"
#include "support/catch.hpp"

using gradus::PieceModel;
using gradus::PieceType;
using gradus::read_piece_model;
using gradus::Segmenter;
using gradus::SubwordModel;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::message_field;

namespace {

/// A piece with a score and a type.
std::string entry(const std::string& text, int type, const std::string& score = std::string("\0\0\x80\xbf", 4)) {
  return message_field(1, message_field(1, text) + '\x15' + score + '\x18' + static_cast<char>(type));
}

std::string trainer(const std::string& fields) { return message_field(2, fields); }
std::string rules(const std::string& table) { return trainer("") + message_field(3, message_field(2, table)); }

const std::string bpe = trainer("\x18\x02"), by_default = trainer("") + message_field(3, "");
const std::string unknown = entry("<unk>", 2);

std::string refusal(const std::string& bytes) {
  return error_of([&] { Segmenter(bytes, "a.model").encode("ab"); });
}

}  // namespace

TEST_CASE("piece_model: settings and pieces are those of the file, or SentencePiece's defaults") {
  const PieceModel plain = read_piece_model(unknown + entry("b", 5) + entry("c", 4) + by_default, "a.model");
  CHECK(plain.kind == SubwordModel::unigram);
  CHECK((plain.unk_id == 0 && plain.bos_id == 1 && plain.eos_id == 2 && plain.pad_id == -1));
  CHECK(plain.unk_surface == " \u2047 ");
  CHECK((plain.normaliser.add_dummy_prefix && plain.normaliser.remove_extra_spaces));
  CHECK((plain.normaliser.escape_spaces && !plain.normaliser.space_as_suffix && !plain.byte_fallback));
  CHECK((plain.pieces[1].text == "b" && plain.pieces[1].score == -1 && plain.pieces[1].type == PieceType::unused));

  const std::string ids("\x18\x02\xc0\x01\x01\xc0\x02\x05\xc8\x02\x07\xd0\x02\x08\xd8\x02\x09", 17);
  const std::string no_spaces("\x18\0\x20\0\x28\0", 6);
  const PieceModel set = read_piece_model(entry("b", 4) + unknown + trainer(ids + "\xe2\x02\x01?") +
                                              message_field(3, no_spaces) + message_field(9, "new"),
                                          "a.model");
  CHECK((set.kind == SubwordModel::bpe && set.normaliser.space_as_suffix && set.unk_surface == "?"));
  CHECK((set.unk_id == 1 && set.bos_id == 7 && set.eos_id == 8 && set.pad_id == 9));
  CHECK_FALSE((set.normaliser.add_dummy_prefix || set.normaliser.remove_extra_spaces));
  CHECK_FALSE(set.normaliser.escape_spaces);
}

TEST_CASE("piece_model: a wrong field is refused in one line that names the file and the field") {
  const std::string zero(4, '\0');
  const struct {
    std::string bytes, message;
  } rows[] = {
      {"", "a.model: trainer_spec is missing; this is no whole SentencePiece model"},
      {by_default, "a.model: pieces: 0 are unknown pieces"},
      {unknown + entry("<unk>2", 2) + by_default, "a.model: pieces: 2 are unknown pieces"},
      {unknown + std::string("\x0a\x7f", 2), "a.model: a field is cut"},
      {unknown + std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "a.model: a field is cut"},
      {std::string(11, '\xff'), "a.model: a field is cut"},
      {unknown + message_field(3, ""), "a.model: trainer_spec is missing; this is no whole SentencePiece model"},
      {unknown + bpe, "a.model: normalizer_spec is missing; this is no whole SentencePiece model"},
      {unknown + "\x08\x01", "a.model: pieces has the wrong wire type"},
      {unknown + message_field(1, "\x0a\x05"), "a.model: pieces[1]: a field is cut"},
      {unknown + message_field(1, ""), "a.model: pieces[1]: piece is empty"},
      {unknown + message_field(1, "\x08\x05"), "a.model: pieces[1]: piece has the wrong wire type"},
      {unknown + entry("\xff", 1), "a.model: pieces[1]: piece is no text in UTF-8"},
      {unknown + entry(std::string("a\0", 2), 1), "a.model: pieces[1]: piece is no text in UTF-8"},
      {unknown + entry("a", 1, std::string("\0\0\xc0\x7f", 4)), "a.model: pieces[1]: score is no finite number"},
      {unknown + entry("a", 7), "a.model: pieces[1]: type is 7"},
      {unknown + entry("a", 1) + entry("a", 4) + by_default, "a.model: pieces[2]: piece \"a\" comes twice"},
      {unknown + entry("<0x41>", 6) + by_default, "a.model: pieces[1]: piece \"<0x41>\" is no byte's name, or"},
      {unknown + trainer(std::string("\x98\x02\x01")) + by_default, "a.model: pieces: byte_fallback is set, but"},
      {unknown + trainer("\x98\x02\x01") + entry("<0x4g>", 6) + by_default,
       "a.model: pieces[1]: piece \"<0x4g>\" is no byte's"},
      {unknown + trainer("\x18\x03"), "a.model: trainer_spec: model_type is 3"},
      {unknown + trainer("\x1a\x01z"), "a.model: trainer_spec: model_type has the wrong wire type"},
      {unknown + trainer("\xd8\x02\xff\xff\xff\xff\x1f"), "a.model: trainer_spec: pad_id is 8589934591"},
      {unknown + message_field(3, "\x1a\x01z"), "a.model: normalizer_spec: add_dummy_prefix has the wrong wire"},
      {unknown + message_field(5, message_field(2, "x")) + by_default, "a.model: denormalizer_spec: rules"},
      {unknown + rules("ab"), "a.model: normalizer_spec: precompiled_charsmap: cut before the size"},
      {unknown + rules(std::string("\4\0\0\0", 4) + zero), "precompiled_charsmap: its first part has a wrong size"},
      {unknown + rules(zero + zero), "precompiled_charsmap: its first part has a wrong size"},
      {unknown + rules(std::string("\3\0\0\0", 4) + zero), "precompiled_charsmap: its first part has a wrong size"},
      {unknown + rules(std::string("\xff\xff\xff\xff", 4) + zero), "its first part has a wrong size"},
      {unknown + rules(std::string("\4\0\0\0", 4) + zero + "x"),
       "precompiled_charsmap: its last string has no end"},
      {unknown + rules(std::string("\4\0\0\0\0\5\0\0\0", 9)), "precompiled_charsmap: rule 0 leads to a place"}};
  for (const auto& row : rows) {
    CHECK_THAT(refusal(row.bytes), contains(row.message));
    CHECK(refusal(row.bytes).find('\n') == std::string::npos);
  }
}

TEST_CASE("piece_model: pieces with more text than any vocabulary has are refused") {
  std::string model = unknown;
  for (const char c : std::string("abcdefghijklmnop")) model += entry(std::string(1'000'000, c), 1);
  CHECK_THAT(error_of([&] { read_piece_model(model, "a.model"); }),
             contains("a.model: pieces: more than 16,000,000"));
}

TEST_CASE("piece_model: no part of a model is read beyond its end") {
  const std::string whole = unknown + entry("ab", 1) + bpe + message_field(3, "\x18\x01");
  CHECK(Segmenter(whole).size() == 2);
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THAT(refusal(whole.substr(0, length)), contains("a.model: "));
}

TEST_CASE("piece_model: a bpe text that holds a character with the name of a control piece is refused") {
  const std::string model = unknown + entry("b", 3) + entry("a", 1) + bpe + message_field(3, "");
  CHECK_THAT(refusal(model), contains("text cannot be cut into subwords: it holds the control piece \"b\""));
}
