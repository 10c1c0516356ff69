// The segmenter against SentencePiece, on small models that SentencePiece learns here, and on the bundled ones.

#include "gradus/text/pieces/segmenter.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "lib/io/files.hpp"
#include "lib/text/pieces/library.hpp"
#include "lib/text/pieces/unused.hpp"
#include "support/catch.hpp"

using gradus::Segmenter;
using gradus::test::contains;
using gradus::test::error_of;
using gradus::test::learnt_by_library;
using gradus::test::Pair;
using gradus::test::RandomText;
using gradus::test::Settings;
using gradus::test::with_unused;

namespace {

const std::vector<std::string> sentences = {"Ein Hund läuft über die Wiese und über <url>.",
                                            "The dog runs across the meadow and the street.",
                                            "Привет мир, как дела",
                                            "Γειά σου Κόσμε",
                                            "مرحبا بالعالم",
                                            "שלום עולם",
                                            "नमस्ते दुनिया",
                                            "สวัสดีชาวโลก",
                                            "你好世界 你好",
                                            "こんにちは世界",
                                            "안녕하세요 세계",
                                            "👩‍💻 👨‍👩‍👧 ½ ① ﬁnden e\u0301",
                                            "The the them then there and und aa aaa aaaa aaaaa"};

const std::vector<std::string> texts = {"",
                                        " ",
                                        "\u2581",
                                        "  Ein\tHund \u00a0 läuft\u3000über ",
                                        "The dog",
                                        "then and <url>und<url> undund aaaaaaa",
                                        "<unk> <s> </s> <pad> <0x41>",
                                        "ﬁnden ½ ① ﷺ ｶﾞ Ａ \u200b\ufeff",
                                        "e\u0301 \u0301\u0302 a\u0308\u0323",
                                        "👩‍💻👨‍👩‍👧🏽 \u200d\u200d",
                                        "Здравствуй мир κόσμος العالم עולם दुनिया โลก 世界 세계",
                                        "\x01\x02\x7f\xc2\x80 \x1f",
                                        std::string("a\0b", 3),
                                        "\xff\xe2\x96 \xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80 \xe2",
                                        std::string(3000, 'a') + std::string(500, ' ') + std::string(999, 'Z')};

/// Compares on the texts and on random ones.
void compare(const std::string& model, int random_lines) {
  const Pair pair(model);
  std::vector<std::string> lines = texts;
  lines.insert(lines.end(), sentences.begin(), sentences.end());
  RandomText random(7);
  for (int line = 0; line < random_lines; ++line) lines.push_back(random.line());
  for (const std::string& line : lines) {
    const std::string difference = pair.difference(line);
    CAPTURE(line, difference);
    REQUIRE(difference.empty());
    std::vector<int> ids;
    for (int count = random.below(8); count > 0; --count) ids.push_back(random.below(pair.size()));
    const std::string of_decoded = pair.difference_of_decoded(ids);
    CAPTURE(of_decoded);
    REQUIRE(of_decoded.empty());
  }
}

Settings settings(const std::string& kind, bool falls_back, const std::string& rules, const std::string& symbols) {
  Settings result{{"model_type", kind},
                  {"vocab_size", falls_back ? "460" : "200"},
                  {"byte_fallback", falls_back ? "true" : "false"},
                  {"normalization_rule_name", rules}};
  if (!symbols.empty()) result["user_defined_symbols"] = symbols;
  return result;
}

}  // namespace

TEST_CASE("segmenter: the pieces and the text are SentencePiece's, for each kind, rule and setting") {
  for (const std::string kind : {"bpe", "unigram"}) {
    for (const bool falls_back : {false, true}) {
      for (const std::string rules : {"identity", "nmt_nfkc"}) {
        for (const std::string symbols : {"", "<url>,und,aa,aaa,\u2581The,👩,①"}) {
          CAPTURE(kind, falls_back, rules, symbols);
          compare(learnt_by_library(sentences, settings(kind, falls_back, rules, symbols)), 60);
        }
      }
    }
  }
}

TEST_CASE("segmenter: spaces are treated as the model's settings say") {
  for (const std::string kind : {"bpe", "unigram"}) {
    for (const char* changed : {"add_dummy_prefix", "remove_extra_whitespaces", "treat_whitespace_as_suffix"}) {
      Settings changes = settings(kind, false, "nmt_nfkc", "<url>");
      changes[changed] = changed == std::string("treat_whitespace_as_suffix") ? "true" : "false";
      changes["unk_surface"] = "<?>";
      CAPTURE(kind, changed);
      compare(learnt_by_library(sentences, changes), 60);
    }
  }
}

TEST_CASE("segmenter: unused pieces are cut again, or avoided, as by SentencePiece") {
  for (const std::string kind : {"bpe", "unigram"}) {
    const std::string model = learnt_by_library(sentences, settings(kind, false, "identity", ""));
    compare(with_unused(model, 3), 60);
    compare(with_unused(model, 2), 60);
  }
}

TEST_CASE("segmenter: the bundled models cut text as SentencePiece does") {
  for (const std::string pair : {"de-en", "en-de"}) {
    std::ifstream file(GRADUS_CHAPTERS "/11_translator/models/" + pair + "/subwords.model", std::ios::binary);
    compare(std::string(std::istreambuf_iterator<char>(file), {}), 300);
  }
}

TEST_CASE("segmenter: an id that does not exist is refused") {
  const Segmenter segmenter(learnt_by_library(sentences, settings("bpe", false, "identity", "")));
  for (const int id : {-1, segmenter.size()})
    CHECK_THAT(error_of([&] { segmenter.decode({id}); }),
               contains("subword id " + std::to_string(id) + " does not exist"));
  CHECK(segmenter.decode(segmenter.encode("The dog runs")) == "The dog runs");
}
