// How many sentences a line has.

#include "11_translator/warnings/sentences.hpp"

#include <ios>
#include <iterator>
#include <sstream>
#include <utility>

#include "11_translator/translator/translation_warnings.hpp"
#include "gradus/io/utf8.hpp"
#include "support/catch.hpp"

using namespace gradus;

TEST_CASE("sentences: an end and another beginning make two") {
  CHECK(sentences_in("") == 0);
  CHECK(sentences_in(" \t") == 0);
  for (const char* text :
       {"A dog runs", "A dog runs.", "A dog runs!?", "A dog runs...", "\"A dog runs.\"", "(A dog.)", ".", "..."})
    CHECK(sentences_in(text) == 1);
  for (const char* text :
       {"A dog runs. A cat sleeps.", "A dog runs! A cat sleeps", "A dog runs? A cat sleeps.",
        "A dog runs... A cat sleeps.", "A dog runs\u2026 A cat sleeps.", "\"A dog runs.\" A cat sleeps.",
        "\u201eEin Hund rennt.\u201c Eine Katze schl\u00e4ft.", "He said \"Stop.\" Then he left.",
        "(A dog runs.) A cat sleeps.", "A dog runs. \u00abA cat sleeps.\u00bb", "a dog runs. a cat sleeps.",
        "A dog runs.A cat sleeps.", "It is 1990. A cat sleeps.", "He is 25. She is 30.",
        "A dog runs. 3 cats sleep.", "\u00bfUn perro? S\u00ed.", "A dog runs.  A cat sleeps.",
        "A dog runs.\u00a0A cat sleeps."})
    CHECK(sentences_in(text) == 2);
  CHECK(sentences_in("A dog runs. A cat sleeps! A man eats? He does.") == 4);
}

TEST_CASE("sentences: abbreviations, initials, ordinals and numbers end none") {
  for (const char* text : {"Mr. Smith runs.",
                           "Dr. M. Smith and Mrs. Jones run.",
                           "J. R. R. Tolkien writes.",
                           "A fruit, e.g. an apple.",
                           "A fruit, i.e. Apples.",
                           "3.5 dogs run.",
                           "Er isst Obst, z. B. \u00c4pfel.",
                           "Er isst Obst, z.B. \u00c4pfel.",
                           "Das hei\u00dft, d. h. Hunde rennen.",
                           "Am 3. Oktober rennt er.",
                           "Der 25. Mann.",
                           "The U.S. Army runs.",
                           "St. Mary's church.",
                           "No. 5 is alive.",
                           "Hunde, Katzen usw. rennen.",
                           "Apples, pears, etc. are fruit.",
                           "At 5 p.m. Mary runs.",
                           "At 5 p.m. he runs.",
                           "\uff13\uff0e\uff15\u5339\u306e\u72ac\u3002",
                           "A dog; a cat.",
                           "\u0443\u043b. \u041b\u0435\u043d\u0438\u043d\u0430",
                           "Nr. 5 lebt.",
                           "Er wohnt in der Hauptstr. 5 und rennt.",
                           "Die Abt. Kunst malt.",
                           "bzw. Hunde",
                           "Acme Inc. Members run.",
                           "\"Stop!\" he said.",
                           "It was ... nothing.",
                           "It was\u2026 nothing.",
                           "A dog !!! runs ??? through ... the snow",
                           "www.example.com and gradus.hpp",
                           "Read text.Example.com now.",
                           "vs. Bayern",
                           "Jan. 5, 2020",
                           "Ein Mann (ca. 30 Jahre) l\u00e4uft.",
                           "Prof. Dr. Meier",
                           "a.m. and p.m.",
                           "Version 1.2.3 is out."}) {
    INFO(text);
    CHECK(sentences_in(text) == 1);
  }
  CHECK(sentences_in("Apples, pears, etc. He eats.") == 2);
  CHECK(sentences_in("Mr. Smith runs. Mrs. Jones sleeps.") == 2);
  CHECK(sentences_in("He lives in the U.S. He runs.") == 2);
  CHECK(sentences_in("He says no. Dogs run.") == 2);
}

TEST_CASE("sentences: marks of other scripts") {
  CHECK(sentences_in("\u72ac\u304c\u8d70\u308b\u3002\u732b\u304c\u5bdd\u308b\u3002") == 2);
  CHECK(sentences_in("\u72ac\u304c\u8d70\u308b\uff01\u732b\u304c\u5bdd\u308b\uff1f\u306f\u3044\u3002") == 3);
  CHECK(sentences_in("\u72ac\u304c\u8d70\u308b\u3002") == 1);
  CHECK(sentences_in("\u300c\u306f\u3044\u3002\u300d\u3068\u8a00\u3063\u305f\u3002") ==
        1);  // one sentence quotes another
  CHECK(sentences_in("\u300c\u306f\u3044\u3002\u300d\u300c\u3044\u3044\u3048\u3002\u300d") == 2);
  CHECK(sentences_in("\u0645\u0627 \u0647\u0630\u0627\u061f \u0643\u0644\u0628.") == 2);
  CHECK(sentences_in("\u0643\u0644\u0628 \u064a\u062c\u0631\u064a. \u0642\u0637\u0629 \u062a\u0646\u0627\u0645.") ==
        2);
  CHECK(sentences_in("\u03a4\u03b9; \u039f \u03c3\u03ba\u03cd\u03bb\u03bf\u03c2.") == 2);  // Greek asks with ;
  CHECK(sentences_in("\u72ac\uff0e\u732b\uff0e") == 2);
  CHECK(sentences_in("\u062f. \u0623\u062d\u0645\u062f") == 1);  // Dr. Ahmad
  CHECK(sentences_in("\u0915\u0941\u0924\u094d\u0924\u093e\u0964 \u092c\u093f\u0932\u094d\u0932\u0940\u0964") == 2);
}

TEST_CASE("sentences: abbreviations, ordinals and Roman numbers of many languages end none") {
  for (const char* text : {"Sr. Gómez corre con la Sra. Ruiz.",
                           "Vive en EE. UU. con Uds. Pérez.",
                           "La Sig.ra e il Sig. Rossi.",
                           "Dhr. Jansen en mevr. De Vries lopen.",
                           "Honden, bijv. Teckels, lopen.",
                           "Han äter frukt, t.ex. Äpplen.",
                           "Han spiser frugt, f.eks. Æbler.",
                           "Je to např. Pes.",
                           "To jest np. Pies.",
                           "Ul. Długa i św. Jan.",
                           "Проф. Иванов и акад. Петров.",
                           "Он видит рис. 3 и пл. Мира.",
                           "डॉ. शर्मा दौड़ते हैं।",
                           "Ludwig XIV. regierte lange.",
                           "Im XX. Jahrhundert lebte er.",
                           "Der 100. Mann rennt.",
                           "Prof.Smith runs.",
                           "A S.C.U.B.A. diver swims.",
                           "1. A dog runs.",
                           " (12. The dog runs.)",
                           "Read Node.js and text.py.",
                           "through \u2026 the snow"}) {
    INFO(text);
    CHECK(sentences_in(text) == 1);
  }
  CHECK(sentences_in("The light is on. A dog runs.") == 2);
  CHECK(sentences_in("Er ist im Jahr 1900. Dann rennt er.") == 2);
  CHECK(sentences_in("Manden går ud. Hunden løber.") == 2);
  CHECK(sentences_in("Он ест рис. Кошка спит.") == 2);
  CHECK(sentences_in("The street is eng. Two dogs run.") == 2);
}

TEST_CASE("sentences: every abbreviation and every frequent first word counts") {
  const auto words = [](const char* list) {
    std::istringstream stream(list);
    return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
  };
  for (const std::string& word :
       words("mr mrs ms dr prof st ste mt ft vs gen col capt lt sgt rev hon gov sen rep pres fig vol pp nos "
             "nr cf ca bzw evtl ggf inkl exkl tel hr fr hrsg bspw vgl ул им стр гр т.е sog geb gest mme mlle "
             "sra dra srta dott dipl abb kap chap incl excl resp messrs mgr approx e.g i.e z.b d.h u.a s.o "
             "sras srs dres dña uds ee av avda núm pág sig sigg ing avv mons exmo exma séc dhr mevr mw drs "
             "bijv blz dvs t.ex bl.a f.eks kl esim klo puh np tj ul św godz inż im płk ks např tzv tzn sv č "
             "čp nám mudr judr pl ún ifj özv dl vb sn yrd doç проф акад доц пр просп пер пл обл вул див напр "
             "св тов гг вв डॉ प्रो श्री पं κα κος δρ αρ σελ")) {
    INFO(word);
    CHECK(sentences_in("See " + word + ". The dog.") == 1);
  }
  for (const std::string& word :
       words("jr sr etc eds ave blvd rd dept univ inc ltd co corp bros assn jan feb apr jun jul aug sep sept "
             "oct okt nov dec dez usw jh jhd mio mrd др руб тыс т.д т.п abs est env mm al ed sec eq str "
             "etcetera osv enz itd itp atd apod stb jne ym млн млрд грн κ.λπ см evt")) {
    INFO(word);
    CHECK(sentences_in("See " + word + ". Dogs run.") == 1);
    CHECK(sentences_in("See " + word + ". The dog.") == 2);
  }
  for (const std::string& word : words("no art min max mag op ex mar tab ch ph рис ud")) {
    INFO(word);
    CHECK(sentences_in("See " + word + ". 5 dogs.") == 1);
    CHECK(sentences_in("See " + word + ". Dogs run.") == 2);
  }
  for (const std::string& word :
       words("he she it they we i you the a an this that there then two his her my our er sie es wir ich ihr "
             "der die das ein eine dann dort il elle ils elles nous je le la les un une el ella lui lei loro "
             "ele ela eles hij zij ze het een han hon hun on ona oni он она они это він вона вони hän ő")) {
    INFO(word);
    CHECK(sentences_in("Dogs, etc. " + word + " it.") == 2);
  }
}

TEST_CASE("sentences: tokens with spaces between them, and marks without a space behind them") {
  CHECK(sentences_in("a dog runs . a cat sleeps .") == 2);
  CHECK(sentences_in("A dog runs . A cat sleeps .") == 2);
  CHECK(sentences_in("a dog runs ! the cat sleeps ?") == 2);
  CHECK(sentences_in("\u72d7\u8dd1!\u732b\u7761?") == 2);
  CHECK(sentences_in("\u72d7\u8dd1.\u732b\u7761.") == 2);
  CHECK(sentences_in("\u0e2a\u0e38\u0e19\u0e31\u0e02!\u0e41\u0e21\u0e27") == 2);
  CHECK(sentences_in("Собака бежит.Кошка спит.") == 2);
  CHECK(sentences_in("\u0643\u0644\u0628 \u064a\u062c\u0631\u064a.\u0642\u0637\u0629 \u062a\u0646\u0627\u0645.") ==
        2);
  CHECK(sentences_in("\u062f.\u0623\u062d\u0645\u062f") == 1);
}

TEST_CASE("sentences: the marks of every script") {
  const std::vector<std::pair<const char*, const char*>> all{
      {"\u0561\u0562\u0563", "\u0589"}, {"\u0643\u0644\u0628", "\u061f"}, {"\u0643\u0644\u0628", "\u06d4"},
      {"\u0710\u0712", "\u0700"},       {"\u07ca\u07cb", "\u07f9"},       {"\u0915\u0916", "\u0964"},
      {"\u0995\u0996", "\u0965"},       {"\u1000\u1001", "\u104b"},       {"\u1200\u1201", "\u1362"},
      {"\u1200\u1201", "\u1367"},       {"\u1401\u1402", "\u166e"},       {"\u1780\u1781", "\u17d4"},
      {"\u1820\u1821", "\u1803"},       {"\u1c5a\u1c5b", "\u1c7e"},       {"\ua500\ua501", "\ua60e"},
      {"\u72d7\u8dd1", "\uff61"},       {"\u72d7\u8dd1", "\uff1f"},       {"\u72d7\u8dd1", "\ufe12"},
      {"\u72d7\u8dd1", "\u203c"},       {"word word", "\u203d"}};
  for (const auto& [word, mark] : all) {
    INFO(word << mark);
    CHECK(sentences_in(std::string(word) + mark + " " + word + mark) == 2);
    CHECK(sentences_in(std::string(word) + mark) == 1);
    CHECK(is_end_mark(mark));
  }
  CHECK(sentences_in("\u0645\u0627 \u0647\u0630\u0627\u061f\u0643\u0644\u0628.") == 2);  // without a space too
}

TEST_CASE("sentences: a mark that ends one is that in every script, alone or with others") {
  for (const char* mark : {".", "!", "?", "...", "\u2026", "?!", "\u3002", "\u061f", "\u0964"})
    CHECK(is_end_mark(mark));
  for (const char* other : {"", ",", "Mr.", "\"", ". ", "\xFF", ".\xFF"}) CHECK_FALSE(is_end_mark(other));
}

TEST_CASE("sentences: the marks with Unicode's property Sentence_Terminal") {
  const std::pair<char32_t, char32_t> ranges[] = {
      {0x21, 0x21},     {0x2E, 0x2E},     {0x3F, 0x3F},     {0x589, 0x589},   {0x61D, 0x61F},   {0x6D4, 0x6D4},
      {0x700, 0x702},   {0x7F9, 0x7F9},   {0x964, 0x965},   {0x104B, 0x104B}, {0x1362, 0x1362}, {0x1367, 0x1368},
      {0x166E, 0x166E}, {0x1735, 0x1736}, {0x1803, 0x1803}, {0x1809, 0x1809}, {0x1944, 0x1945}, {0x1AA8, 0x1AAB},
      {0x1B5A, 0x1B5B}, {0x1B5E, 0x1B5F}, {0x1C3B, 0x1C3C}, {0x1C7E, 0x1C7F}, {0x203C, 0x203D}, {0x2047, 0x2049},
      {0x2E2E, 0x2E2E}, {0x3002, 0x3002}, {0xA4FF, 0xA4FF}, {0xA60E, 0xA60F}, {0xA6F3, 0xA6F3}, {0xA6F7, 0xA6F7},
      {0xA876, 0xA877}, {0xA8CE, 0xA8CF}, {0xA92F, 0xA92F}, {0xA9C8, 0xA9C9}, {0xAA5D, 0xAA5F}, {0xAAF0, 0xAAF1},
      {0xABEB, 0xABEB}, {0xFE52, 0xFE52}, {0xFE56, 0xFE57}, {0xFF01, 0xFF01}, {0xFF0E, 0xFF0E}, {0xFF1F, 0xFF1F},
      {0xFF61, 0xFF61}};
  for (const auto& [first, last] : ranges) {
    for (char32_t mark = first; mark <= last; ++mark) {
      INFO("U+" << std::hex << static_cast<unsigned>(mark));
      CHECK(is_end_mark(to_utf8(std::u32string(1, mark))));
    }
  }
}

TEST_CASE("sentences: quotes and brackets belong to the sentence that they close or open") {
  for (const char* closer : {"\"", "'", "\u201D", "\u2019", "\u201C", "\u00BB", "\u203A", ")", "]", "}"}) {
    const std::string text = "A dog runs." + std::string(closer) + " A cat sleeps.";
    INFO(text);
    CHECK(sentence_starts(text) == std::vector<std::size_t>{0, text.find("A cat")});
  }
  for (const char* closer : {"\u300D", "\u300F", "\uFF09", "\u3011", "\u300B"}) {
    const std::string text = "\u72AC\u3002" + std::string(closer) + " \u732B\u3002";
    INFO(text);
    CHECK(sentence_starts(text) == std::vector<std::size_t>{0, text.find("\u732B")});
  }
  for (const char* opener :
       {"\"",     "'",      "\u201C", "\u2018", "\u201E", "\u201A", "\u00AB", "\u2039", "(",      "[",     "{",
        "\u00BF", "\u00A1", "\u300C", "\u300E", "\uFF08", "\u3010", "\u300A", "-",      "\u2013", "\u2014"}) {
    const std::string text = "A dog runs. " + std::string(opener) + "A cat sleeps.";
    INFO(text);
    CHECK(sentence_starts(text) == std::vector<std::size_t>{0, 12});
  }
}

TEST_CASE("sentences: a line with several gets a warning that counts them") {
  TranslatedText best;
  best.text = "x";
  for (const char* one : {"A dog runs.", "foo.PDF and a.html", "See `A. B` and https://a.org/b.C now."})
    CHECK(translation_warnings("line 7", one, best).empty());
  const auto found = translation_warnings("line 7", "A dog runs. A cat sleeps. He eats.", best);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "several-sentences");
  CHECK(found[0].text ==
        "line 7 holds 3 sentences, and the model has learnt to translate one at a time; give each a line of its "
        "own, or translate paragraphs (--paragraphs)");
}
