#include "gradus/plot/page.hpp"

#include <algorithm>

#include "gradus/plot/markup.hpp"
#include "gradus/plot/svg.hpp"
#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::Element;
using gradus::test::Xml;

TEST_CASE("page: one well-formed file that fetches nothing and knows light and dark") {
  Page page;
  page.title = "</title><script>alert(1)</script> & \"co\"";
  page.body = "<p>" + escaped("<img src=x>") + "</p>";
  page.style = ".a{color:red}\n", page.script = "let x = 1;\n";
  const std::string html = html_page(page);
  const Xml xml(html);
  INFO(xml.fault);
  REQUIRE(xml.fault.empty());
  CHECK(xml.all("title")[0].text == page.title);
  CHECK(xml.all("script").size() == 1);
  CHECK(xml.all("img").empty());
  CHECK(xml.all("link").empty());
  CHECK_THAT(html, contains("prefers-color-scheme:dark"));
  CHECK_THAT(html, contains("default-src 'none'"));
  CHECK_THAT(html, contains(".a{color:red}"));
  CHECK(html.find("http") == html.find("http-equiv"));
  CHECK(html.find("http", html.find("http-equiv") + 4) == std::string::npos);
  CHECK(html.find("url(") == std::string::npos);
}

TEST_CASE("page: without a script there is none, and a picture is the same alone and within") {
  CHECK(Xml(html_page({"t", "<p>b</p>", "", ""})).all("script").empty());
  const Svg svg{10, 20, "what & why", "<path d=\"M0 0h1\"/>"};
  for (const std::string& text : {svg_file(svg), inline_svg(svg)}) {
    const Xml xml(text);
    INFO(xml.fault);
    REQUIRE(xml.fault.empty());
    CHECK(xml.all("svg")[0]["aria-label"] == "what & why");
    CHECK(xml.all("path").size() == 1);
  }
  CHECK(Xml(inline_svg(svg)).all("svg")[0]["viewBox"] == "0 0 10 20");
  const Xml file(svg_file(svg));  // with a margin of 16 pixels
  for (const std::string name : {"svg", "rect"}) {
    CHECK(file.all(name)[0]["width"] == "42");
    CHECK(file.all(name)[0]["height"] == "52");
  }
  CHECK(file.all("svg")[0]["viewBox"] == "-16 -16 42 52");
  CHECK(file.all("rect")[0]["x"] == "-16");
  CHECK(file.all("rect")[0]["y"] == "-16");
}

TEST_CASE("page: a picture that is wider than the screen can be moved sideways, and a line above it says so") {
  const Xml xml(inline_svg({731, 20, "wide", ""}));
  REQUIRE(xml.fault.empty());
  const Element hint = xml.all("div", "hint")[0], svg = xml.all("svg")[0];
  CHECK_THAT(svg["style"], contains("min-width:439px"));  // readable; 0.6 of 731
  CHECK_THAT(hint["style"], contains("padding-top:clamp(0px,calc((439px - 100%)*999),1.6em)"));
  CHECK_THAT(xml.all("span")[0].text, contains("move it sideways"));
  const auto place = [&](const std::string& class_name) {
    return std::find_if(xml.elements.begin(), xml.elements.end(),
                        [&](const Element& e) { return e["class"] == class_name; });
  };
  CHECK(place("hint") < place("scroller"));
  CHECK(place("scroller")->name == "div");
  const std::string html = html_page({"t", "", "", ""});
  CHECK_THAT(html, contains(".scroller{overflow-x:auto"));
  CHECK_THAT(html, contains(".hint{position:relative;overflow:hidden;height:0"));
}
