#include "gradus/plot/page.hpp"

#include "gradus/plot/markup.hpp"
#include "gradus/plot/svg.hpp"
#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
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
    CHECK(xml.elements[0]["aria-label"] == "what & why");
    CHECK(xml.all("path").size() == 1);
  }
  CHECK(Xml(inline_svg(svg)).elements[0]["viewBox"] == "0 0 10 20");
  CHECK(Xml(svg_file(svg)).elements[0]["viewBox"] == "-16 -16 42 52");
}
