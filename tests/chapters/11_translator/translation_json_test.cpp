#include "app/answers/translation_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "11_translator/search/search_host.hpp"
#include "11_translator/translator/token_alignment.hpp"
#include "chapters/11_translator/program.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

namespace {

const Translator& bundled() {
  static const Translator one = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  return one;
}

std::vector<std::vector<TranslatedText>> translated(const std::vector<std::string>& sentences,
                                                    std::size_t n_best = 1) {
  TranslateOptions options;
  options.with_tokens = true;
  options.n_best = n_best;
  return bundled().translate(sentences, options);
}

std::vector<std::string> members(const Json& json) {
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  return names;
}

std::string joined(const Json& pieces) {
  std::string text;
  for (const auto& piece : pieces)
    text += piece.is_object() ? piece.at("text").get<std::string>() : piece.get<std::string>();
  return text;
}

}  // namespace

TEST_CASE("translation as JSON: the numbers are those of the search, and the tokens form the texts") {
  const std::string source = "A dog runs through the snow.";
  const auto best = translated({source}).front();
  const Json json = Json::parse(json_line(translation_json(source, best, {{"unsure", "do not trust it"}})));
  CHECK(members(json) == std::vector<std::string>{"source", "text", "score", "token_log_prob", "source_tokens",
                                                  "tokens", "alignment", "word_alignment", "warnings"});
  CHECK(json.at("source") == source);
  CHECK(json.at("text") == "Ein Hund rennt durch den Schnee.");
  CHECK(joined(json.at("source_tokens")) == "\u2581A\u2581dog\u2581runs\u2581through\u2581the\u2581snow.<eos>");
  CHECK(joined(json.at("tokens")) == "\u2581Ein\u2581Hund\u2581rennt\u2581durch\u2581den\u2581Schnee.<eos>");
  double sum = 0;
  for (const auto& token : json.at("tokens")) sum += token.at("log_prob").get<double>();
  const double count = static_cast<double>(json.at("tokens").size());
  CHECK(std::abs(sum / count - json.at("token_log_prob").get<double>()) < 1e-12);
  CHECK(std::abs(sum / length_norm(json.at("tokens").size(), 1) - json.at("score").get<double>()) < 1e-12);
  CHECK(json.at("warnings") == Json::parse(R"([{"code": "unsure", "text": "do not trust it"}])"));
}

TEST_CASE("translation as JSON: words are aligned with the words that they translate") {
  const auto best = translated({"A dog runs through the snow.", "In the park two men are playing guitar."});
  CHECK(word_alignment(best[0][0]) == Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
  for (const auto& texts : best) {
    const TranslatedText& t = texts.front();
    REQUIRE(t.tokens.size() > 1);
    for (const TargetToken& token : t.tokens) {
      const bool is_end = token.text == "<eos>";
      CHECK((token.source == t.source_tokens.size() - 1) == is_end);
      CHECK((token.word == no_word) == is_end);
    }
    CHECK(t.source_tokens.back().text == "<eos>");
    CHECK(t.source_tokens.back().word == no_word);
  }
}

TEST_CASE("translation as JSON: the n best, each with its own tokens") {
  const std::string source = "Two men are cooking.";
  const Json json = translation_json(source, translated({source}, 3).front(), {});
  REQUIRE(json.at("n_best").size() == 3);
  CHECK(json.at("n_best")[0].at("text") == json.at("text"));
  CHECK(json.at("n_best")[0].at("tokens") == json.at("tokens"));
  for (const auto& one : json.at("n_best")) {
    CHECK(members(one) ==
          std::vector<std::string>{"text", "score", "token_log_prob", "tokens", "alignment", "word_alignment"});
    std::string text = joined(one.at("tokens"));
    for (auto at = text.find("\u2581"); at != text.npos; at = text.find("\u2581")) text.replace(at, 3, " ");
    CHECK(text == " " + one.at("text").get<std::string>() + "<eos>");
    CHECK(one.at("alignment").size() == one.at("tokens").size());
    CHECK(one.at("score") <= json.at("score"));
  }
  CHECK(json.at("n_best")[1].at("text") != json.at("text"));
}

TEST_CASE("translation as JSON: an empty sentence, an error, and bytes that are no text") {
  const Json empty = translation_json("", translated({""}).front(), {});
  CHECK(empty.at("text").get<std::string>().empty());
  CHECK(empty.at("tokens").empty());
  CHECK(empty.at("word_alignment") == Json::array());
  CHECK(error_json("not UTF-8").dump() == R"({"source":"","text":"","error":"not UTF-8"})");
  CHECK(json_line({{"a", "x\xFF\n"}}) == "{\"a\":\"x\uFFFD\\n\"}");
}

TEST_CASE("tokens: unknown parts are listed, and belong to a word") {
  const TranslatedText t = translated({"A \u72d7\u732b runs  \u00a0 to\u0e2b."}).front().front();
  CHECK(t.unknown == std::vector<std::string>{"\u72d7\u732b", "\u0e2b"});
  std::vector<std::size_t> words;
  for (const SourceToken& token : t.source_tokens) words.push_back(token.word);
  CHECK(words == std::vector<std::size_t>{0, 1, 1, 2, 3, 3, 3, no_word});
  CHECK(translated({"A dog."}).front().front().unknown.empty());
}

TEST_CASE(
    "alignment: heads and layers are added, the first of several layers counts a step later, <eos> goes to <eos>") {
  const int eos = 3;
  using Layer = std::vector<float>;  // 2 tokens and <eos>, 1 head, 3 source tokens
  const Layer first{0.1F, 0.0F, 0.9F, 0.8F, 0.1F, 0.1F, 0.5F, 0.3F, 0.2F};
  const Layer second{0.3F, 0.5F, 0.2F, 0.4F, 0.3F, 0.3F, 0.9F, 0.1F, 0.0F};
  using Places = std::vector<std::size_t>;
  CHECK(aligned_tokens<float>({second}, {7, 8, eos}, 1, 3, eos) == Places{1, 0, 2});
  CHECK(aligned_tokens<float>({first, second}, {7, 8, eos}, 1, 3, eos) == Places{0, 0, 2});
  CHECK(aligned_tokens<float>({second, second}, {7, 8}, 1, 3, eos) == Places{1, 0});
  const Layer heads{0.9F, 0.1F, 0.0F, 0.0F, 0.7F, 0.3F};  // 1 token, 2 heads, 3 source tokens
  CHECK(aligned_tokens<float>({heads}, {7}, 2, 3, eos) == Places{0});
  const Layer others{0.4F, 0.1F, 0.5F, 0.0F, 0.8F, 0.2F};
  CHECK(aligned_tokens<float>({others}, {7}, 2, 3, eos) == Places{1});
}
