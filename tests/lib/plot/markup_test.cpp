#include "gradus/plot/markup.hpp"

#include <cmath>
#include <limits>

#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::Xml;

TEST_CASE("markup: any bytes at all become well-formed content and attributes") {
  for (int first = 0; first < 256; ++first) {
    for (const int second : std::vector<int>{0, '<', '&', '"', 0x80, 0xA4, 0xBF, 0xFF}) {
      const std::string text{static_cast<char>(first), static_cast<char>(second), '\''};
      const std::string clean = escaped(text);
      const Xml xml("<a b=\"" + clean + "\">" + clean + "</a>");
      INFO(first << " " << second << " " << xml.fault);
      REQUIRE(xml.fault.empty());
      CHECK(xml.elements[0].text == visible(text));
      CHECK(xml.elements[0]["b"] == visible(text));
    }
  }
}

TEST_CASE("markup: invisible characters are shown, invalid ones marked, others unchanged") {
  CHECK(visible("a\tb\n\x1b[31m\x7f") == "a␉b␊␛[31m␡");
  CHECK(visible(std::string_view("\0", 1)) == "␀");
  CHECK(visible("Grüße, 世界 😀 e\u0301") == "Grüße, 世界 😀 e\u0301");
  CHECK(visible("a\xff"
                "b\xe2\x82") == "a\uFFFDb\uFFFD\uFFFD");
  CHECK(visible("\xef\xbf\xbe \xc2\x85") == "\uFFFD \uFFFD");  // U+FFFE, U+0085
  CHECK(escaped("<b> & \"it's\"") == "&lt;b&gt; &amp; &quot;it&#39;s&quot;");
}

TEST_CASE("markup: widths of letters, of wide ones, of marks") {
  CHECK(display_width("") == 0);
  CHECK(display_width("Größe") == 5);
  CHECK(display_width("世界") == 4);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("\x1b") == 1);
  CHECK(shortened("Donau", 5) == "Donau");
  CHECK(shortened("Donaudampf", 5) == "Dona…");
  CHECK(shortened("世界世界", 5) == "世界…");
  CHECK(shortened("世界世界", 4) == "世…");
  CHECK(shortened("ab", 1) == "…");
  CHECK(text_pixels("mm") > text_pixels("ii"));
  CHECK(text_pixels("abc", 24) == 2 * text_pixels("abc", 12));
}

TEST_CASE("markup: numbers are written as people write them") {
  CHECK(number(0.0042) == "0.0042");
  CHECK(number(38.78) == "38.78");
  CHECK(number(1.0 / 3, 3) == "0.333");
  CHECK(number(-0.0) == "0");
  CHECK(number(std::nan("")) == "–");
  CHECK(number(std::numeric_limits<double>::infinity()) == "–");
  CHECK(fixed(38.775, 1) == "38.8");
  CHECK(fixed(100, 2) == "100.00");
  CHECK(fixed(-0.001, 2) == "0.00");
  CHECK(fixed(-0.006, 2) == "-0.01");
  CHECK(fixed(0.051, 1) == "0.1");
  CHECK(fixed(std::nan(""), 2) == "–");
  CHECK(fixed(std::numeric_limits<double>::max(), 0).size() == 309);
}
