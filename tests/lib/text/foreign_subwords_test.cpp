// Subword models from elsewhere: parts that this project's own training never writes are refused.

#include "gradus/text/subwords.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using gradus::Subwords;
using gradus::test::contains;
using gradus::test::error_of;

namespace {

/// A model of 70 pieces.
std::string learnt_here() {
  gradus::SubwordOptions options;
  options.vocab_size = 70;
  return Subwords::train(
      {"Two men are standing in the street.", "A girl carries a basket full of apples.",
       "A white dog runs across the green meadow.", "Playful dogs are playing in the meadow.",
       "The woman runs because the bus is coming.", "A child is playing with a ball in the park."},
      options);
}

/// A field of a protobuf message, of fewer than 128 bytes.
std::string field(int id, const std::string& content) {
  return std::string{static_cast<char>(id << 3 | 2), static_cast<char>(content.size())} + content;
}

/// A piece with a number as its score, and any of SentencePiece's types.
std::string piece(const std::string& text, int kind, const std::string& score = std::string(4, '\0')) {
  return field(1, field(1, text) + "\x15" + score + "\x18" + static_cast<char>(kind));
}

}  // namespace

TEST_CASE("a foreign model with rules to rewrite characters is refused, whether they are whole or not") {
  const std::string bytes = learnt_here(), none = field(3, field(1, "identity") + field(2, ""));
  const std::string before = bytes.substr(0, bytes.size() - none.size());
  REQUIRE(bytes == before + none);
  const std::string whole("\4\0\0\0\0\0\0\0\0", 9);        // a tree without children, and an empty string
  const std::string rules("\4\0\0\0\xff\xff\xff\x7f", 8);  // a table of 4 bytes, and an offset far behind it
  const std::string wide_key = std::string("\x92\x80\x80\x80\x10\x08") + rules;  // protobuf takes it for field 2
  for (const std::string& foreign :
       {before + field(3, field(2, whole)), bytes + field(3, field(2, rules)), before + field(3, field(2, rules)),
        bytes + field(5, field(2, rules)), before + field(3, wide_key), before + field(3, "\x10\x07"), before}) {
    CHECK_THAT(error_of([&] { Subwords::from_bytes(foreign, "foreign.model"); }), contains("foreign.model: "));
  }
  // Settings that come twice are merged, as in protobuf, and those of no use are passed over.
  for (const std::string& more :
       {field(5, ""), none, field(5, "") + field(5, ""), field(4, field(1, field(1, "a") + field(2, "b")))})
    CHECK(Subwords::from_bytes(bytes + more).size() == 70);
}

TEST_CASE("a foreign model may have the user's symbols where training puts them: before all ordinary pieces") {
  gradus::SubwordOptions options;
  options.vocab_size = 70, options.symbols = {"<url>"};
  const std::string bytes =
      Subwords::train({"Two men are standing in the street.", "A girl carries a basket of apples.",
                       "A white dog runs across the green meadow.", "A child is playing."},
                      options);
  enum { normal = 1, unknown = 2, control = 3, user_defined = 4 };
  const std::string url = piece("<url>", user_defined), eos = piece("</s>", control);
  REQUIRE(bytes.find(eos + url) != std::string::npos);
  const auto with = [&](const std::string& pieces) {
    std::string other = bytes;
    return other.replace(other.find(eos + url), eos.size() + url.size(), pieces);
  };
  const std::string second = piece("<name>", user_defined);
  CHECK(Subwords::from_bytes(with(eos + url + second)).piece(5) == "<name>");
  CHECK_THAT(
      error_of([&] { Subwords::from_bytes(with(eos + url + piece("x", normal) + second), "foreign.model"); }),
      contains("foreign.model: "));
  CHECK_THAT(error_of([&] { Subwords::from_bytes(with(eos + piece("", user_defined) + url), "foreign.model"); }),
             contains("foreign.model: "));
}

TEST_CASE("a foreign model with pieces or settings that are never learnt is refused") {
  const std::string bytes = learnt_here();
  enum { normal = 1, user_defined = 4, unused = 5, byte = 6 };
  CHECK(Subwords::from_bytes(bytes + piece("another", normal)).size() == 71);
  for (const std::string& more :
       {piece("dog", user_defined), piece("dog", unused), piece("<0x41>", byte), piece("\xff", normal),
        piece(std::string("d\0g", 3), normal), piece("dog", normal, std::string("\0\0\xc0\x7f", 4))}) {
    CHECK_THAT(error_of([&] { Subwords::from_bytes(bytes + more, "foreign.model"); }), contains("foreign.model: "));
  }
  const std::string twice = piece("a\nb", normal) + piece("a\nb", normal);  // the complaint names the piece
  CHECK_THAT(error_of([&] { Subwords::from_bytes(bytes + twice, "foreign.model"); }), contains("a\\nb"));

  std::string words = bytes;  // the kind of vocabulary begins the trainer's settings
  const std::size_t at = words.rfind("\x18\x02\x20\x46");
  REQUIRE(at != std::string::npos);
  words[at + 1] = 3;
  CHECK_THAT(error_of([&] { Subwords::from_bytes(words, "foreign.model"); }), contains("foreign.model: "));
}
