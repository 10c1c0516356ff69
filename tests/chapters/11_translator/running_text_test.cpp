// A text as parts to translate and parts that stay.

#include "11_translator/translator/running_text.hpp"

#include <algorithm>
#include <random>

#include "11_translator/warnings/copied_spans.hpp"
#include "11_translator/warnings/sentences.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "support/catch.hpp"

using namespace gradus;
using Texts = std::vector<std::string>;

namespace {

std::string whole(const std::vector<TextPart>& parts) {
  std::string text;
  for (const TextPart& part : parts) text += part.text;
  return text;
}

/// What is translated of a line.
Texts to_translate(const std::string& line) {
  Texts texts;
  const auto parts = RunningText().parts(line);
  CHECK(whole(parts) == line);
  for (const TextPart& part : parts)
    if (!part.is_copied) texts.push_back(part.text);
  return texts;
}

Texts spans(const std::string& line) {
  Texts texts;
  for (const Span& span : copied_spans(line)) texts.push_back(line.substr(span.begin, span.end - span.begin));
  return texts;
}

}  // namespace

TEST_CASE("running text: sentences are cut where they begin, and the spaces between them stay") {
  CHECK(sentence_starts("").empty());
  CHECK(sentence_starts("  Ä. \u201eB rennt.\u201c  C schläft.") == std::vector<std::size_t>{2, 22});
  CHECK(to_translate("A dog runs.  A cat\u00a0sleeps!\tMr. Smith eats 3.5 apples. ") ==
        Texts{"A dog runs.", "A cat\u00a0sleeps!", "Mr. Smith eats 3.5 apples."});
  CHECK(to_translate("  \u201eEin Hund rennt.\u201c Eine Katze schläft.") ==
        Texts{"\u201eEin Hund rennt.\u201c", "Eine Katze schläft."});
  CHECK(to_translate("犬が走る。猫が寝る。") == Texts{"犬が走る。", "猫が寝る。"});
  CHECK(to_translate("कुत्ता दौड़ता है। बिल्ली सोती है।") == Texts{"कुत्ता दौड़ता है।", "बिल्ली सोती है।"});
  CHECK(to_translate("ما هذا؟ كلب يجري.") == Texts{"ما هذا؟", "كلب يجري."});
  CHECK(to_translate("¿Un perro? Sí.") == Texts{"¿Un perro?", "Sí."});
  CHECK(to_translate("").empty());
  CHECK(to_translate(" \t \u3000").empty());
}

TEST_CASE("running text: what is no language is copied") {
  for (const char* line :
       {"3.5 + 4 = 7.5", "...", "\U0001F600 !", "2024-01-31 12:00", "https://example.org/a?b=c#d", "`rm -rf .`",
        "a.b@example.org", "- 12 %", "---", "WWW.EXAMPLE.ORG", "mailto:me@example.org"}) {
    INFO(line);
    CHECK(to_translate(line).empty());
  }
  CHECK(to_translate("See https://example.org/A.B. A dog runs.") == Texts{"See", "A dog runs."});
  CHECK(to_translate("Type `make demo. Now` in the folder.") == Texts{"Type", "in the folder."});
  CHECK(to_translate("Write to a.b+c@mail.example.org, please.") == Texts{"Write to", "please."});
  CHECK(to_translate("See https://a.org/a. A dog runs.") == Texts{"See", "A dog runs."});  // a. is no initial
  CHECK(to_translate("A dog runs. `x`: a cat. See `y`? Yes (`z`).") ==
        Texts{"A dog runs.", "a cat.", "See", "Yes"});
  CHECK(to_translate("- A dog runs.") == Texts{"A dog runs."});
  CHECK(to_translate("  12. A dog runs.") == Texts{"A dog runs."});
  CHECK(to_translate("## A dog") == Texts{"A dog"});
  CHECK(to_translate("-5 dogs run.") == Texts{"-5 dogs run."});
}

TEST_CASE("running text: a sentence whose translation keeps its addresses and code is one part") {
  Texts asked;
  const KeepsCopied keeps = [&](const std::string& sentence, const Texts& copied) {
    asked.push_back(sentence + "|");
    for (const std::string& one : copied) asked.back() += one + "|";
    return sentence.find("keep") != sentence.npos;
  };
  const auto parts = [&](const std::string& line) {
    Texts texts;
    for (const TextPart& part : RunningText().parts(line, keeps))
      texts.push_back((part.is_copied ? "=" : "") + part.text);
    return texts;
  };
  CHECK(parts("- We keep (`a. B`) and `c`. Lose `d` now. `e`  A cat.") ==
        Texts{"=- ", "We keep (`a. B`) and `c`.", "= ", "Lose", "= `d` ", "now.", "= `e`  ", "A cat."});
  CHECK(asked == Texts{"We keep (`a. B`) and `c`.|`a. B`|`c`|", "Lose `d` now.|`d`|", "`e`  A cat.|`e`|"});
  asked.clear();
  CHECK(parts("`keep`") == Texts{"=`keep`"});                                     // nothing else to translate
  CHECK(parts("keep `a` " + std::string(RunningText::longest, 'b')).size() > 1);  // it would be cut
  CHECK(asked.empty());
}

TEST_CASE("running text: a translation keeps addresses and code that it has as often as its source") {
  CHECK(has_copied({"`a`", "`b`"}, "`a` or `b`.", "`b` oder `a`."));
  CHECK_FALSE(has_copied({"`a`", "`b`"}, "`a` or `b`.", "`a` oder b."));
  CHECK(has_copied({"`a`", "`a`"}, "`a` or `a`.", "`a` oder `a`."));
  CHECK_FALSE(has_copied({"`a`", "`a`"}, "`a` or `a`.", "`a` oder nicht."));
  CHECK_FALSE(has_copied({"`a`"}, "A dog or `a`.", "`a` oder `a`."));
}

TEST_CASE("running text: the mark of an entry, a heading or a quotation is copied") {
  for (const char* mark : {"-", "*", "+", "#", ">", "\u2022", "\u00B7", "\u2013", "\u2014", "\u25AA", "\u25CF",
                           "7.", "12)", "\t3.", "###"}) {
    const auto parts = RunningText().parts(mark + std::string(" A dog runs."));
    INFO(mark);
    REQUIRE(parts.size() == 2);
    CHECK((parts[0].is_copied && parts[0].text == mark + std::string(" ")));
    CHECK(parts[1].text == "A dog runs.");
  }
  for (const char* other : {"- ", "7.", "x) A dog.", "7: A dog.", "-5 dogs."}) {
    const auto parts = RunningText().parts(other);
    INFO(other);
    CHECK(parts.size() == 1);
  }
}

TEST_CASE("running text: brackets before an address, and marks behind it, are copied with it") {
  for (const char* bracket : {"(", "[", "{", "<", "\"", "'", "([\""})
    CHECK(to_translate("See " + std::string(bracket) + "`x` now") == Texts{"See", "now"});
  for (const char* mark : {".",      ",",      ";",      ":",      "!",      "?",      ")",      "]",
                           "}",      "\u2026", "\u3002", "\uFF0C", "\u3001", "\uFF1B", "\uFF1A", "\uFF01",
                           "\uFF1F", "\uFF09", "\u060C", "\u061B", "\u061F", ").",     "?!"}) {
    const auto parts = RunningText().parts("See `x`" + std::string(mark) + " now");
    INFO(mark);
    REQUIRE(parts.size() == 3);
    CHECK(parts[1].text == " `x`" + std::string(mark) + " ");
  }
}

TEST_CASE("running text: an address ends before the marks of its sentence") {
  CHECK(spans("(see https://a.org/b_(c)), or <http://d.org/?e=1,2>!") ==
        Texts{"https://a.org/b_(c)", "http://d.org/?e=1,2"});
  CHECK(spans("Straße: https://de.org/wiki/Straße, www.x.org.") ==
        Texts{"https://de.org/wiki/Straße", "www.x.org"});
  CHECK(spans("请看https://x.org/a。谢谢") == Texts{"https://x.org/a"});
  CHECK(spans("https://x.org에서") == Texts{"https://x.org"});
  CHECK(spans("..me@x.org. @you a@b c@d.e@f.g") == Texts{"me@x.org", "c@d.e"});
  CHECK(spans("``a ` b`` and `c`, `d") == Texts{"``a ` b``", "`c`"});
  CHECK(spans("http:// www. xhttp://a.org awww.b.xyz ```").empty());
}

TEST_CASE("running text: how addresses begin, what they hold, and what ends them") {
  for (const std::string prefix :
       {"http://", "https://", "ftp://", "file://", "mailto:", "www.", "HTTP://", "Www."})
    CHECK(spans("see " + prefix + "a.org/b now") == Texts{prefix + "a.org/b"});
  for (const char inside : std::string("._%+-")) {
    const std::string address = std::string("a") + inside + "b@c.org";
    CHECK(spans("to " + address + " now") == Texts{address});
  }
  for (const char mark : std::string(".,;:!?'*_~|"))
    CHECK(spans(std::string("www.a.org/b") + mark + " now") == Texts{"www.a.org/b"});
  for (const char end : std::string("<>\"`"))
    CHECK(spans(std::string("www.a.org/b") + end + "c now") == Texts{"www.a.org/b"});
}

TEST_CASE("running text: addresses in any script are copied whole") {
  CHECK(spans("http://例え.jp/テスト is IDN.") == Texts{"http://例え.jp/テスト"});
  CHECK(spans("See https://ja.wikipedia.org/wiki/日本.") == Texts{"https://ja.wikipedia.org/wiki/日本"});
  CHECK(spans("http://한국.kr and x") == Texts{"http://한국.kr"});
  CHECK(spans("请看https://x.org/谢谢") == Texts{"https://x.org/"});  // no spaces here: the sentence goes on
  CHECK(spans("http://bücher.de/ß, ftp://пример.рф/а") == Texts{"http://bücher.de/ß", "ftp://пример.рф/а"});
  CHECK(spans("Write to josé@exemplo.pt now.") == Texts{"josé@exemplo.pt"});
  CHECK(spans("me@bücher.de, (user@localhost), b@localhosts") == Texts{"me@bücher.de", "user@localhost"});
  CHECK(spans("联系me@x.org。") == Texts{"me@x.org"});
  CHECK(spans("a@-b.c a@.b a@b").empty());
}

TEST_CASE("running text: paths and names of files are copied") {
  CHECK(spans("/etc/passwd and ~/.bashrc, ./a or (../b/c).") == Texts{"/etc/passwd", "~/.bashrc", "./a", "../b/c"});
  CHECK(spans("Open C:\\Users\\me now.") == Texts{"C:\\Users\\me"});
  CHECK(spans("he/she and /or 24/7, 5 km/h, a / b, // ~/ .../a x:\\ A:B").empty());
  CHECK(spans("foo.PDF and a.html, \"my-file_2.tar.gz\".") == Texts{"foo.PDF", "a.html", "my-file_2.tar.gz"});
  CHECK(spans("See example.org, or github.com/a/b.") == Texts{"example.org", "github.com/a/b"});
  CHECK(spans("A dog runs.Then it sits. e.g. d.h. U.S. Mr.Smith .pdf pdf 3.5 runs.pdfs It.Net ..pdf").empty());
  CHECK(spans("a.com@x.org") == Texts{"a.com@x.org"});
  CHECK(to_translate("foo.PDF and a.html") == Texts{"and"});
}

TEST_CASE("running text: code between fences is copied, and the lines behind it are not") {
  RunningText text;
  const auto is_copied = [&](const std::string& line) {
    const auto parts = text.parts(line);
    CHECK(whole(parts) == line);
    return std::all_of(parts.begin(), parts.end(), [](const TextPart& part) { return part.is_copied; });
  };
  CHECK_FALSE(is_copied("A dog runs:"));
  for (const char* line : {"  ````c++", "run a dog.", "```", "~~~~", "```` x", "````"}) CHECK(is_copied(line));
  CHECK_FALSE(is_copied("A dog runs."));
  CHECK_FALSE(is_copied("```a b``` is code."));
  CHECK(is_copied("~~~"));
  CHECK(is_copied("A dog runs."));
  CHECK(is_copied("~~~"));
  CHECK_FALSE(is_copied("A dog runs."));
}

TEST_CASE(
    "running text: a long sentence is cut at a clause, at a space, or between characters, and nothing is lost") {
  std::string clauses, words, letters, characters;
  for (int i = 0; i < 40; ++i) clauses += "a small dog runs over the grass" + std::string(i == 39 ? "." : ", ");
  for (int i = 0; i < 200; ++i) words += "dog ";
  for (int i = 0; i < 1000; ++i) letters += "犬", characters += "e\u0301";
  for (const std::string& part : to_translate(clauses)) CHECK((part.back() == ',' || part.back() == '.'));
  CHECK(to_translate(clauses).size() == 5);
  for (const std::string& part : to_translate(words)) CHECK(part.substr(part.size() - 3) == "dog");
  CHECK(to_translate(words).size() == 3);
  CHECK(to_translate(letters).size() == 7);
  for (const std::string& part : to_translate(characters)) CHECK(part.substr(part.size() - 3) == "e\u0301");
  for (const std::string& text : {clauses, words, letters, characters}) {
    for (const std::string& part : to_translate(text)) {
      std::size_t columns = 0;
      for (const char32_t c : code_points(part)) columns += columns_of(c);
      CHECK(columns <= RunningText::longest);
    }
  }
}

TEST_CASE("running text: a clause ends the first part if it has more than a third of the columns") {
  const auto first = [](std::size_t columns, const std::string& mark) {
    std::string text = std::string(columns - 1, 'a') + mark + " ";
    for (int i = 0; i < 100; ++i) text += "dog ";
    return to_translate(text).at(0).size();
  };
  for (const char* mark : {",", ";", ":", ")"}) {
    INFO(mark);
    CHECK(first(101, mark) == 101);
    CHECK(first(100, mark) > 290);
  }
  CHECK(first(101, "+") > 290);
  for (const char* mark : {"\uFF0C", "\u3001", "\uFF1B", "\uFF1A", "\u060C", "\u061B", "\u2013 ", "\u2014 "}) {
    std::string text;
    for (int i = 0; i < 75; ++i) text += "\u72AC";
    text += mark;
    const std::size_t end = text.size() - (text.back() == ' ' ? 1 : 0);
    for (int i = 0; i < 400; ++i) text += "\u732B";
    INFO(mark);
    CHECK(to_translate(text).at(0).size() == end);
  }
}

TEST_CASE("running text: translations are joined with the spaces of the source, and with those that they need") {
  using Parts = std::vector<TextPart>;
  CHECK(joined_parts({}).empty());
  CHECK(joined_parts(Parts{{"Ein Hund.", false}, {"  ", true}, {"Eine Katze.", false}, {"\t", true}}) ==
        "Ein Hund.  Eine Katze.\t");
  CHECK(joined_parts(Parts{{"A dog.", false}, {"A cat.", false}}) == "A dog. A cat.");
  CHECK(joined_parts(Parts{{"犬。", false}, {"猫。", false}}) == "犬。猫。");
  CHECK(joined_parts(Parts{{"See", false}, {"https://x.org", true}, {"thanks", false}}) ==
        "See https://x.org thanks");
  CHECK(joined_parts(Parts{{"See", false}, {"(`x`)", true}, {", thanks", false}}) == "See(`x`), thanks");
  CHECK(joined_parts(Parts{{"A dog.", false}, {"", false}, {"A cat.", false}}) == "A dog. A cat.");
}

TEST_CASE("running text: the parts of any line are the line") {
  std::mt19937 random(5);
  const Texts pieces = {"A dog runs.", " ",     "  ",  "\t",          "`",
                        "``",          "```",   "~~~", "http://a.b/", "www.",
                        "@",           "a@b.c", "。",  "犬",          "! ",
                        "3.5",         "(",     ")",   "e\u0301",     "\U0001F468\u200D\U0001F469",
                        "\u00a0",      "- ",    "1. ", ",",           "\u200b",
                        "ß",           "؟",     "\r"};
  for (int i = 0; i < 3000; ++i) {
    std::string line;
    for (std::size_t n = random() % 14; n > 0; --n) line += pieces[random() % pieces.size()];
    const auto parts = RunningText().parts(line);
    INFO(line);
    REQUIRE(whole(parts) == line);
    for (const TextPart& part : parts) REQUIRE_FALSE(part.text.empty());
  }
  std::string brackets = "http://a" + std::string(200'000, ')'), ticks(200'000, '`'), ats(200'000, '@'), roots;
  for (int i = 0; i < 100'000; ++i) roots += "(/";
  for (const std::string& line : {roots, std::string(200'000, '('), brackets, ticks, ats, std::string(200'000, '.'),
                                  std::string(200'000, 'a')})
    CHECK(whole(RunningText().parts(line)) == line);
}
