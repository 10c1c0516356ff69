#include "11_translator/pictures/attention_page.hpp"

#include <cmath>
#include <cstdio>
#include <set>
#include <tuple>

#include "11_translator/pictures/attention_map.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/attention_records.hpp"
#include "gradus/util/error.hpp"
#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

Xml parsed(const std::string& text) {
  Xml xml(text);
  INFO(xml.fault);
  REQUIRE(xml.fault.empty());
  return xml;
}

/// The thousandths that two letters encode.
std::vector<long> thousandths(const std::string& packed) {
  std::vector<long> all;
  for (std::size_t i = 0; i + 1 < packed.size(); i += 2) all.push_back(std::stol(packed.substr(i, 2), nullptr, 36));
  return all;
}

double mean_of_heads(const AttentionMaps& m, std::size_t layer, std::size_t t, std::size_t s) {
  return (m.at(layer, 0, t, s) + m.at(layer, 1, t, s)) / 2;
}

}  // namespace

TEST_CASE("attention page: selectors name every attention, layer and head, and each shows its own numbers") {
  const AttentionRecord r = record();
  const std::string html = attention_page({r});
  const Xml xml = parsed(html);
  std::map<std::string, Element> map_by_id;
  for (const Element& g : xml.all("g")) map_by_id[g["id"]] = g;
  std::set<std::string> kinds, selectors;
  for (const Element& input : xml.all("input")) {
    if (input["aria-label"].empty()) {
      kinds.insert(input["class"]);
      continue;
    }
    selectors.insert(input["name"] + " " + input["aria-label"]);
    CHECK(map_by_id.count(input["name"] + input["class"]) == 1);
    CHECK(html.find(".panel:has(input." + input["class"] + ":checked) .shown." + input["class"]) !=
          std::string::npos);
  }
  CHECK(kinds == std::set<std::string>{"k0", "k1", "k2"});
  REQUIRE(selectors.size() == (7 + 5 + 5) * 3);
  for (const char* map : {"a1k0 layer 1, mean of heads", "a1k0 layer 2, head 1", "a1k0 layer 2, head 2",
                          "a1k0 layer 7, mean of heads", "a1k1 layer 5, head 2", "a1k2 layer 5, mean of heads"}) {
    INFO(map);
    CHECK(selectors.count(map) == 1);
  }
  for (const Element& use : xml.all("use")) CHECK(map_by_id.count(use["href"].substr(1)) == 1);

  const auto second_head = thousandths(map_by_id["a1k0m2-2"]["data-weights"]);
  const auto mean = thousandths(map_by_id["a1k2m4-0"]["data-weights"]);
  REQUIRE(second_head.size() == 4 * 4);
  REQUIRE(mean.size() == 3 * 4);
  for (std::size_t i = 0; i < 16; ++i)
    CHECK(second_head[i] == std::lround(1000 * r.encoder.at(1, 1, i / 4, i % 4)));
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(mean[i] == std::lround(1000 * mean_of_heads(r.cross, 3, i / 4, i % 4)));
}

TEST_CASE("attention page: words stand on both axes, rows with the picture's rows, for the pointer too") {
  const AttentionRecord r = record();
  const Xml xml = parsed(attention_page({r, r}));
  const auto figures = xml.all("figure", "large");
  REQUIRE(figures.size() == 6);
  CHECK(figures[0]["data-rows"] == "_Hunde\n.\n<eos>");  // cross-attention is the first
  CHECK(figures[0]["data-columns"] == "_a\n_dog\ns\n<eos>");
  CHECK(figures[2]["data-columns"] == "<bos>\n_Hunde\n.");
  std::set<std::string> ids;
  for (const Element& e : xml.elements) {
    if (!e["id"].empty()) CHECK(ids.insert(e["id"]).second);
  }
  std::multiset<std::string> chosen;
  for (const Element& input : xml.all("input")) {
    if (input["checked"] == "checked") chosen.insert(input["class"] + " " + input["aria-label"]);
  }
  CHECK(chosen.size() == 2 * (1 + 3));
  CHECK(chosen.count("k2 ") == 2);                          // cross-attention is shown first,
  CHECK(chosen.count("m5-0 layer 5, mean of heads") == 4);  // the last layer of each, the mean of its heads
  CHECK(chosen.count("m7-0 layer 7, mean of heads") == 2);
  std::multiset<std::string> shown;
  for (const Element& use : xml.all("use", "start")) shown.insert(use["href"]);
  CHECK(shown ==
        std::multiset<std::string>{"#a1k0m7-0", "#a1k1m5-0", "#a1k2m5-0", "#a2k0m7-0", "#a2k1m5-0", "#a2k2m5-0"});
}

TEST_CASE("attention page: each attention has its own words, and each map its own name") {
  const AttentionRecord r = record();
  struct Names {
    AttentionKind kind;
    std::string title, rows, columns, note;
    std::size_t layers;
  };
  const Names all[] = {{AttentionKind::cross, "Cross-attention", "to say this piece", "it looks at the source",
                        "of the translation", 5},
                       {AttentionKind::encoder, "Encoder self-attention", "each piece of the source",
                        "looks at the source", "While it reads", 7},
                       {AttentionKind::decoder, "Decoder self-attention", "to say this piece",
                        "it looks back at what was said", "the upper triangle is empty", 5}};
  const Xml xml = parsed(attention_page({r}));
  for (const Names& n : all) {
    INFO(n.title);
    const HeatMap map = attention_map(r, n.kind, 2, 1);
    CHECK((map.row_title == n.rows && map.column_title == n.columns));
    CHECK(map.description == n.title + ", layer 3, head 2");
    CHECK(attention_map(r, n.kind, 2, 2).description == n.title + ", layer 3, mean of heads");
    CHECK_THAT(names_of(n.kind).explanation, contains(n.note));
    std::size_t pictures = 0;
    for (const Element& svg : xml.all("svg")) pictures += svg["aria-label"] == n.title ? 1 : 0;
    CHECK(pictures == 1);
  }
  std::map<std::string, std::set<std::string>> shown;  // of a class
  for (const Element& e : xml.all("span", "shown")) shown[e["class"]].insert(e.text);
  CHECK(shown["shown m1-0"] == std::set<std::string>{"layer 1, mean of heads"});
  CHECK(shown["shown m4-2"] == std::set<std::string>{"layer 4, head 2"});
  CHECK(shown["shown m7-1"] == std::set<std::string>{"layer 7, head 1"});
}

TEST_CASE("attention page: the cells of a large table are small, and those of a small one not too large") {
  for (const auto& [rows, columns, cell] : {std::tuple{3, 2, 26.0}, {5, 40, 15.5}, {40, 5, 15.5}, {100, 3, 12.0}}) {
    AttentionRecord r = record();
    r.cross = maps(1, std::vector<std::string>(rows, "a"), std::vector<std::string>(columns, "b"));
    CHECK(attention_map(r, AttentionKind::cross, 0, 0).cell == Approx(cell));
  }
}

TEST_CASE("attention page: no text of a sentence or a piece becomes markup") {
  const std::string evil = "_</text></svg><script>alert('1')</script>\x1b\xff&amp;";
  const AttentionRecord r = record(evil);
  const Xml xml = parsed(attention_page({r}));
  CHECK(xml.all("script").size() == 1);
  CHECK(xml.all("bdi")[0].text.find("</script>") != std::string::npos);
  CHECK(xml.all("figure", "large")[0]["data-columns"].find("␛\uFFFD&amp;") != std::string::npos);
  CHECK(parsed(attention_svg(r)).all("script").empty());
  CHECK(attention_text(r).find('\x1b') == std::string::npos);
}

TEST_CASE(
    "attention page: one picture, in lines and in letters, is the last layer's cross-attention, mean of heads") {
  const AttentionRecord r = record();
  const auto titles = parsed(attention_svg(r)).all("title");
  REQUIRE(titles.size() == 12);
  char expected[80];
  std::snprintf(expected, sizeof expected, ". · _dog: %.4g", mean_of_heads(r.cross, 4, 1, 1));
  CHECK(titles[5].text == expected);
  const std::string text = attention_text(r);
  CHECK(text.rfind("a dogs\nHunde.\ncross-attention, layer 5, mean of 2 heads", 0) == 0);
  CHECK(text.find("\n       _a\n       │ _dog\n       │ │ s\n") != std::string::npos);
  CHECK(text.find("\n_Hunde ") != std::string::npos);
}

TEST_CASE("attention page: a decoder without self-attention has the other two kinds alone") {
  AttentionRecord r = record();
  r.decoder = {};
  const Xml xml = parsed(attention_page({r}));
  std::set<std::string> kinds;
  for (const Element& input : xml.all("input")) {
    if (input["aria-label"].empty()) kinds.insert(input["class"]);
  }
  CHECK(kinds == std::set<std::string>{"k0", "k2"});
  CHECK(xml.all("figure", "large").size() == 2);
}

TEST_CASE("attention page: an empty sentence and no sentence have nothing to show, and say so") {
  AttentionRecord empty;
  empty.source_text = " ";
  CHECK(parsed(attention_page({empty})).all("input").empty());
  CHECK(parsed(attention_page({})).all("section").empty());
  CHECK(attention_text(empty) == "nothing was looked at: the sentence is empty\n");
  CHECK_THROWS_WITH(attention_svg(empty), contains("empty"));
}

TEST_CASE("attention of the bundled model: pieces of both languages, spaces as underscores, every layer and head") {
  const Translator translator = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  const AttentionRecord r = translator.attention("Two dogs play.");
  CHECK(r.translation == translator.translate("Two dogs play."));
  CHECK(r.cross.columns == std::vector<std::string>{"_Two", "_dogs", "_play", ".", "<eos>"});
  CHECK(r.cross.rows.front() == "_Zwei");
  CHECK(r.cross.rows.back() == "<eos>");
  CHECK(r.decoder.columns.front() == "<bos>");
  CHECK(r.encoder.layers > 1);
  CHECK(r.cross.heads > 1);
  CHECK(translator.attention("").cross.layers == 0);
  CHECK(translator.attention("dog").cross.columns ==
        std::vector<std::string>{"_dog", "<eos>"});  // one piece is enough
  const HeatMap map = attention_map(r, AttentionKind::cross, r.cross.layers - 1, r.cross.heads);
  CHECK(map.values[0] > 0.4);  // "Zwei" attends to "Two"
}
