// Words for numbers, by language, and the languages of a model.

#include "11_translator/warnings/number_languages.hpp"

#include "11_translator/translator/translation_warnings.hpp"
#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/changed_numbers.hpp"
#include "11_translator/warnings/number_words.hpp"
#include "11_translator/warnings/text_languages.hpp"
#include "gradus/io/utf8.hpp"
#include "support/catch.hpp"

using namespace gradus;
using Words = std::vector<std::string>;

namespace {

bool says(const std::string& language, const std::string& text, const std::string& number) {
  return NumberWords(text, language).say(number);
}

/// The numbers that a translation of these languages has lost and added: "lost -> added".
std::string change(const char* source_language, const std::string& source, const char* language,
                   const std::string& translation) {
  const ChangedNumbers found = changed_numbers(source, translation, {source_language, language});
  std::string text;
  for (const std::string& one : found.lost) text += one + ' ';
  text += "->";
  for (const std::string& one : found.added) text += ' ' + one;
  return text;
}

Tokenizer words_of(const std::string& text, int vocab_size = 0) {
  return Tokenizer::learn({text}, {TokenizerKind::word, vocab_size, 1, {}});
}

struct Counting {
  const char* code;
  std::vector<std::string> words;  // 0 to 12
};

const Counting counting[] = {
    {"en",
     {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}},
    {"de",
     {"null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"}},
    {"fr",
     {"zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"}},
    {"es",
     {"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"}},
    {"it",
     {"zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici",
      "dodici"}},
    {"pt",
     {"zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze"}},
    {"nl",
     {"nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf"}},
    {"sv", {"noll", "en", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio", "tio", "elva", "tolv"}},
    {"da", {"nul", "en", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti", "elleve", "tolv"}},
    {"nb", {"null", "en", "to", "tre", "fire", "fem", "seks", "sju", "åtte", "ni", "ti", "elleve", "tolv"}},
    {"fi",
     {"nolla", "yksi", "kaksi", "kolme", "neljä", "viisi", "kuusi", "seitsemän", "kahdeksan", "yhdeksän",
      "kymmenen", "yksitoista", "kaksitoista"}},
    {"pl",
     {"zero", "jeden", "dwa", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć", "dziesięć",
      "jedenaście", "dwanaście"}},
    {"cs",
     {"nula", "jeden", "dva", "tři", "čtyři", "pět", "šest", "sedm", "osm", "devět", "deset", "jedenáct",
      "dvanáct"}},
    {"hu",
     {"nulla", "egy", "két", "három", "négy", "öt", "hat", "hét", "nyolc", "kilenc", "tíz", "tizenegy",
      "tizenkettő"}},
    {"ro",
     {"zero", "un", "doi", "trei", "patru", "cinci", "șase", "șapte", "opt", "nouă", "zece", "unsprezece",
      "doisprezece"}},
    {"ru",
     {"ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять", "одиннадцать",
      "двенадцать"}},
    {"uk",
     {"нуль", "один", "два", "три", "чотири", "п'ять", "шість", "сім", "вісім", "дев’ять", "десять", "одинадцять",
      "дванадцять"}},
    {"tr", {"sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz", "on", "onbir", "oniki"}}};

}  // namespace

TEST_CASE("number words: each language counts to twelve, and no word is another number") {
  REQUIRE(std::size(counting) == number_languages().size());
  for (const Counting& language : counting) {
    REQUIRE(language.words.size() == 13);
    for (std::size_t word = 0; word < language.words.size(); ++word) {
      for (std::size_t value = 0; value < language.words.size(); ++value) {
        INFO(language.code << " " << language.words[word] << " " << value);
        const bool turkish_ten = std::string(language.code) == "tr" && word == 10 && value > 10;  // "on bir"
        CHECK(says(language.code, language.words[word], std::to_string(value)) == (word == value || turkish_ten));
      }
    }
  }
}

TEST_CASE("number words: larger numbers are none of the small ones") {
  const std::vector<std::pair<const char*, std::vector<std::string>>> larger{
      {"fr", {"treize", "vingt", "cents"}},
      {"es", {"quince", "veintidós", "doscientos"}},
      {"it", {"tredici", "ventidue", "settanta", "duecento"}},
      {"pt", {"quinze", "vinte", "duzentos e trezentos", "mil"}},
      {"nl", {"dertien", "tweeëntwintig", "zeventig", "driehonderd"}},
      {"sv", {"tretton", "tjugotvå", "åttio", "femhundra"}},
      {"da", {"tretten", "tyve", "halvtreds", "femogtres", "firs"}},
      {"nb", {"tretten", "tjueto", "femti", "tohundre"}},
      {"fi", {"kolmetoista", "kaksikymmentä", "neljäsataa"}},
      {"pl", {"trzynaście", "dwadzieścia", "pięćdziesiąt", "sto"}},
      {"cs", {"třináct", "dvacet", "padesát", "sto"}},
      {"hu", {"tizenhárom", "húsz", "negyven", "háromszáz"}},
      {"ro", {"treisprezece", "douăzeci", "sută"}},
      {"ru", {"тринадцать", "двадцать", "пятьдесят", "сорок", "триста"}},
      {"uk", {"тринадцять", "двадцять", "п'ятдесят", "сорок"}},
      {"tr", {"yirmi", "kırk", "elli", "İki yüz"}}};
  for (const auto& [code, texts] : larger) {
    for (const std::string& text : texts) {
      INFO(code << " " << text);
      CHECK(says(code, text, "57"));
    }
  }
  for (const int value : {2, 3, 4, 8, 10}) {
    for (const std::string text : {"zweiundzwanzig", "dreizehn", "vierzig", "achthundert", "zehntausend"})
      CHECK_FALSE(says("de", text, std::to_string(value)));
  }
  CHECK_FALSE(says("fi", "kolmetoista", "3"));
  CHECK_FALSE(says("nl", "achter hem", "8"));
  CHECK_FALSE(says("nl", "achter hem", "57"));
  CHECK_FALSE(says("ru", "места", "57"));
  CHECK_FALSE(says("tr", "altında", "6"));
}

TEST_CASE("number words: a word counts in its language only; a frequent word of another language needs that one") {
  CHECK(change("de", "4 Männer", "en", "Men at a fire") == "4 ->");
  CHECK(change("en", "4 men", "da", "Fire mænd") == "->");
  CHECK(change("de", "2 Hunde", "en", "A dog due to run") == "2 ->");
  CHECK(change("en", "2 dogs", "it", "Due cani") == "->");
  CHECK(change("en", "2 dogs", "da", "To hunde") == "->");
  CHECK(change("de", "2 Hunde", "en", "A dog goes to a man") == "2 ->");
  CHECK(change("de", "11 Hunde", "en", "Dogs, once") == "11 ->");
  CHECK(change("en", "11 dogs", "es", "Once perros") == "->");
  CHECK(change("en", "6 dogs", "sv", "Sex hundar") == "->");
  CHECK(change("en", "6 dogs", "de", "Er sei da") == "6 ->");
  CHECK(change("en", "1 dog", "da", "En hund") == "->");
  CHECK(change("en", "1 dog", "pt", "Um cachorro") == "->");
  CHECK(change("en", "3 dogs", "de", "Tre Hunde") == "3 ->");
  CHECK(change("en", "5 dogs", "uk", "П\u02BCять собак") == "->");
  CHECK(change("da", "to hunde", "en", "2 dogs") == "->");
  CHECK(change("en", "to a dog", "de", "2 Hunde") == "-> 2");
  CHECK(change("", "6 dogs", "", "Sex hundar") == "6 ->");
  CHECK(change("xx", "2 dogs", "xx", "zwei Hunde") == "->");  // unknown: each language counts
  CHECK(change("", "2 Hunde", "", "A dog goes to a man") == "2 ->");
}

TEST_CASE("number words: the parts of a decimal number need a word each") {
  CHECK(change("en", "2.2 miles", "de", "zwei Meilen") == "2.2 ->");
  CHECK(change("en", "1.1 miles", "de", "eine Meile") == "1.1 ->");
  CHECK(change("en", "2.2 miles", "de", "zwei Komma zwei Meilen") == "->");
  CHECK(change("de", "zwei Meilen", "en", "2.2 miles") == "-> 2.2");
  CHECK(change("de", "zwei Komma zwei Meilen", "en", "2.2 miles") == "->");
  CHECK(change("en", "20.30 euros", "de", "zwanzig Euro") == "20.30 ->");
  CHECK(change("en", "20.30 euros", "de", "zwanzig Euro dreißig") == "->");
  CHECK(change("en", "at 2:02", "de", "um zwei Uhr zwei") == "->");
  CHECK(change("en", "2.25 miles", "de", "zwei Meilen") == "2.25 ->");
  CHECK(change("en", "2.25 miles", "de", "zweieinviertel Meilen, zwei und ein Viertel") == "->");
  CHECK(change("en", "0.75 miles", "de", "drei Viertel Meile") == "->");
  CHECK(change("en", "3.5 miles", "pl", "trzy i pół mili") == "->");
  CHECK(change("en", "3.5 miles", "ru", "три мили") == "3.5 ->");
  CHECK(change("en", "1.5 miles", "ru", "полторы мили") == "->");
  CHECK(change("en", "12.5 miles", "fr", "douze milles et demi") == "->");
  CHECK(change("en", "20.5 miles", "de", "zwanzigeinhalb Meilen") == "->");
}

TEST_CASE("number words: decimals in every way of writing them are the same number") {
  for (const char* text : {"3.5", "3,5", "3\u00B75", "\uFF13\uFF0E\uFF15", "\u0663\u066B\u0665",
                           "\u0663\u060C\u0665", "\u06F3\u066B\u06F5", "\u0969.\u096B", "\u0E53.\u0E55", "3.50"}) {
    INFO(text);
    CHECK(change("en", "3.5 miles", "", std::string(text) + " Meilen") == "->");
    CHECK(change("en", std::string(text) + " miles", "de", "drei Meilen") == std::string(text) + " ->");
    CHECK(change("en", "miles", "de", std::string(text) + " Meilen") == "-> " + std::string(text));
  }
  for (const char* text : {"-3.5", "\u22123,5"}) {
    CHECK(change("en", "-3.5 miles", "", std::string(text) + " Meilen") == "->");
    CHECK(change("en", "3.5 miles", "", std::string(text) + " Meilen") == "-> " + std::string(text));
  }
  for (const char* text :
       {"1.000,25", "1,000.25", "1 000,25", "1\u00A0000,25", "1\u202F000,25", "1\u2007000.25", "1'000.25",
        "1\u2019000,25", "1000,25", "\u0661\u066C\u0660\u0660\u0660\u066B\u0662\u0665"}) {
    INFO(text);
    CHECK(change("en", "1,000.25 miles", "de", std::string(text) + " Meilen") == "->");
    CHECK(change("de", std::string(text) + " Meilen", "en", "1,000 miles") == std::string(text) + " -> 1,000");
  }
}

TEST_CASE("number words: East Asian words for numbers") {
  CHECK(change("en", "12 dogs", "ja", "十二匹の犬") == "->");
  CHECK(change("en", "2 dogs", "ja", "ふたりの犬と人") == "->");
  CHECK(change("en", "2 dogs", "ja", "犬と人") == "2 ->");
  CHECK(change("en", "20 dogs", "ko", "개 스무 마리") == "->");
  CHECK(change("en", "20 dogs", "ko", "개 마리") == "20 ->");
  CHECK(change("en", "3 dogs", "zh", "仨狗") == "->");
}

TEST_CASE("languages of a model: by the frequent words of its vocabularies") {
  const std::string english = "the and of is are with his her who to at for from by an",
                    german = "der die das und ist ein eine einem einen mit auf dem den im von";
  const auto text = [](const TextLanguages& l) { return l.source + " " + l.target; };
  CHECK(text(languages_of({words_of(english), words_of(german), false}, {})) == "en de");
  CHECK(text(languages_of({words_of(german), words_of(english), false}, {})) == "de en");
  CHECK(text(languages_of({words_of("a b c"), words_of("the of is"), false}, {})) == " ");
  const std::string three_quarters = "the and of is are with his her who to at for";  // twelve of fifteen words
  CHECK(text(languages_of({words_of(three_quarters), words_of(german), false}, {})) == "en de");
  const std::string fewer = "the and of is are with his her who to at";
  CHECK(text(languages_of({words_of(fewer), words_of(german), false}, {})) == " de");
  const Tokenizer joint = words_of(english + " " + german);
  CHECK(text(languages_of({joint, joint, true}, {})) == " ");  // either could be either
  SeenPieces seen(joint.size());
  for (std::size_t id = 0; id < seen.size(); ++id)
    seen[id] = (" " + german + " ").find(" " + joint.piece(static_cast<int>(id)) + " ") != std::string::npos;
  CHECK(text(languages_of({joint, joint, true}, seen)) == "de en");
  for (const NumberLanguage& language : number_languages()) {
    std::string own;
    for (const std::u32string& word : language.frequent) own += to_utf8(word) + " ";
    INFO(language.code);
    CHECK(text(languages_of({words_of(own), words_of(own), false}, {})) == language.code + " " + language.code);
  }
}

TEST_CASE("languages of a model: the bundled ones know theirs, and their warnings about numbers follow") {
  const std::string models = std::string(GRADUS_CHAPTERS) + "/11_translator/models/";
  const auto best = [&](const char* model, const std::string& text) {
    return Translator::load(models + model).translate(Words{text}, {})[0][0];
  };
  const TranslatedText german = best("en-de", "4 men."), english = best("de-en", "4 Männer.");
  CHECK(german.languages.source == "en");
  CHECK(german.languages.target == "de");
  CHECK(english.languages.source == "de");
  CHECK(english.languages.target == "en");
  TranslatedText fire = english;
  fire.text = "Men at a fire.";
  const auto found = translation_warnings("line 1", "4 Männer an einem Feuer.", fire);
  REQUIRE_FALSE(found.empty());
  CHECK(found.back().code == "numbers");
}
