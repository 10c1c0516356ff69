#include "11_translator/warnings/number_words.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

/// Words of a number in lower case; with a star, words that begin so. Of English, German, French, Spanish, Italian,
/// Portuguese, Dutch, Swedish, Danish, Norwegian, Czech, Polish, Turkish, Finnish, Hungarian, Russian and Ukrainian, and the months of the
/// first seven. Words that mean something frequent in another of these languages are left out ("to" is Danish for 2).
struct NumberEntry {
  const char* value;
  const char32_t* words;
};

constexpr NumberEntry entries[] = {
    {"0",
     U"zero no none nobody nothing kein* niemand* nichts null* zéro aucun* cero ningun* ningún nessun* nenhum* nul "
     U"geen "
     U"noll ingen inga inget nolla nula nulou žádn* żad* sıfır hiç nulla nincs ноль нет нуль"},
    {"1",
     U"one single first once eins erst* einzig* einmal premier première premiers premières uno una primero primera "
     U"primo "
     U"prima uma primeir* één eerste första første jeden jedn* první pierwsz* bir birinci ilk yksi yhden ensimmäi* "
     U"egy "
     U"első один одна одно одного одной перв* january januar janvier enero gennaio janeiro januari"},
    {"2",
     U"two both second pair pairs couple twice twin* double zwei* beide* zweit* paar* doppel* zwo deux seconde "
     U"segundo segunda "
     U"dos ambos ambas due secondo seconda entrambi dois duas twee tweede två båda andra begge anden annen dwa "
     U"dwie dwaj dwóch dwoje "
     U"drugi drugie drugiego dva dvě dvou dvoj* druhý druhá druhé obě oba iki ikinci çift kaksi kahden molem* "
     U"toinen két kettő "
     U"második два две двух двое втор* дві двоє february februar février febrero febbraio fevereiro februari"},
    {"3",
     U"three third thirds tiers tercio* triple thrice drei* dritt* trois* troisième* tres tercer* tre terzo terza "
     U"três terceir* drie* "
     U"derde tredje "
     U"trzy* trzech trzej troje trzeci* tři* tří* třet* troj* üç* kolme* kolmas három* harmad* три трех трёх трое "
     U"трет* троє "
     U"march märz mars marzo março maart"},
    {"4",
     U"four fourth quarter quarters quart quarts cuartos quarti vier* quatre* quatrième* cuatro cuarto cuarta "
     U"quattro quarto quarta quatro fyra fjärde fire "
     U"fjerde cztery* "
     U"czterech czworo czwart* čtyři* čtyř* čtvrt* dört* neljä* négy* negyed* четыр* четвер* чотири april avril "
     U"abril aprile"},
    {"5",
     U"five fifth fünf* cinq* cinco quinto quinta cinque vijf* fem femte pięć* pięci* piąt* pět* pát* beş* viisi "
     U"viiden viides "
     U"öt ötödik пять пяти пят* п'ять may mai mayo maggio maio mei"},
    {"6",
     U"six sixth sechs* sixième* seis sexto sexta sei sesto sesta zes* sjätte seks sjette sześć* sześci* szóst* "
     U"šest* altı* "
     U"kuusi kuuden kuudes hatodik шест* шість june juni juin junio giugno junho"},
    {"7",
     U"seven seventh sieben* siebt* sept septième* siete séptim* sette settimo settima sete sétim* zeven* sju "
     U"sjunde syv syvende "
     U"siedem* siedm* siódm* sedm* yedi* seitsem* hetedik сем* сім* july juli juillet julio luglio julho"},
    {"8",
     U"eight eighth acht* huit* ocho octavo octava otto ottavo ottava oito oitav* åtta åttonde otte åtte osiem* "
     U"ośmi* ósm* osm* "
     U"sekiz* kahdeksa* nyolc* восем* восьм* вісім* august août agosto augustus"},
    {"9",
     U"nine ninth neun* neuf neuvième* nueve noveno novena nove nono nona negen* nio nionde niende dziewię* "
     U"dziewią* devět* "
     U"devát* dokuz* yhdeksä* kilenc* девят* дев'ят* september septembre septiembre settembre setembro"},
    {"10",
     U"ten tenth zehn* dix dixième* diez décimo decimo dieci dez tien tiende tio tionde dziesię* dziesią* deset* "
     U"desát* "
     U"onuncu kymmenen kymmenes tíz* десят* october oktober octobre octubre ottobre outubro"},
    {"11",
     U"eleven eleventh elf elft* onze* undici elva elfte elleve jedenaś* jedenác* onbir* yksitoista tizenegy* "
     U"одиннадцат* "
     U"november novembre noviembre novembro"},
    {"12",
     U"twelve twelfth zwölf* douze* doce dodici doze twaalf* tolv* dwanaś* dvanáct* oniki* kaksitoista tizenkettő* "
     U"tizenkét* двенадцат* dozen dutzend* douzaine* docena* december dezember décembre diciembre dicembre "
     U"dezembro"}};

/// These are articles too, so in an output "1" may not come from them.
constexpr const char32_t* articles = U"a an ein eine einem einen einer eines un une een ett";

/// Words for numbers above 12 have one of these inside, or are one of the others.
constexpr const char32_t* inside_large =
    U"thirteen fourteen fifteen sixteen eighteen seventeen nineteen twent thirty fifty sixty seventy eighty ninety "
    U"hundred "
    U"thousand million billion dozen dreißig dreissig zwanzig vierzig fünfzig sechzig siebzig achtzig neunzig zehn "
    U"hundert tausend dutzend "
    U"milliard treize quatorze quinze seize vingt trente quarante cinquante soixante douzaine catorce quince "
    U"veinte treinta cuarenta cincuenta "
    U"sesenta setenta ochenta noventa ciento mille venti trenta quaranta cinquanta vinte trinta quarenta dertien "
    U"veertien vijftien "
    U"zestien zeventien achttien negentien twintig dertig veertig honderd duizend tjugo trettio hundra tusen tyve "
    U"tredive naście "
    U"dzieści dziesiąt tysiąc náct dvacet třicet desát tisíc yirmi otuz toista kymmentä tuhat húsz harminc "
    U"надцат двадцат "
    U"тридцат сорок десят тысяч";
constexpr const char32_t* whole_large = U"forty cent cents mil cien cento trece sto score yüz száz ezer sata сто";
constexpr const char32_t* inside_half =
    U"half halb hälft halv demi medio media mitad mezz metà meia meio metade pół půl yarım buçuk puoli fél полтор "
    U"полов";

// Chinese, Japanese and Korean write numbers beside other words. Each string has the signs of one value, from 0 to 10.
constexpr const char32_t* signs[] = {
    U"零〇無无", U"一壱单単하한일", U"二两兩双両雙둘두이", U"三叁셋세삼", U"四넷네사", U"五伍다섯오",
    U"六여섯육", U"七일곱칠",       U"八여덟팔",           U"九아홉구",   U"十열십"};

std::vector<std::u32string> list(const char32_t* words) {
  std::vector<std::u32string> all;
  std::istringstream stream(to_utf8(words));
  for (std::string word; stream >> word;) all.push_back(code_points(word));
  return all;
}

bool is_word(const std::u32string& word, const std::u32string& pattern) {
  if (pattern.back() != U'*') return word == pattern;
  return word.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
}

/// Whether f(word, pattern) is true for some pair.
template <class F>
bool any_pair(const std::vector<std::u32string>& words, const std::vector<std::u32string>& patterns, const F& f) {
  return std::any_of(words.begin(), words.end(), [&](const auto& word) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) { return f(word, pattern); });
  });
}

/// Whether the word, which matches a pattern of this small value, says a larger number: "vierzig" matches "vier*".
bool is_larger(const std::u32string& word, int value) {
  static const std::vector<std::u32string> larger = list(inside_large);
  if (value > 10) return false;
  return std::any_of(larger.begin(), larger.end(), [&](const std::u32string& part) {
    const std::size_t place = word.find(part);
    return place != word.npos && (value < 10 || place > 0);  // "zehn" is one of the parts
  });
}

bool holds(const std::u32string& word, const std::u32string& part) { return word.find(part) != word.npos; }

/// Latin and Cyrillic letters.
bool is_of_known_script(char32_t c) {
  return (c < 0x250 && is_unicode_letter(c)) || (c >= 0x400 && c < 0x530) || (c >= 0x1E00 && c < 0x1F00);
}

/// Chinese characters and Hangul.
bool writes_signs(char32_t c) { return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) || c == U'〇'; }

int value_of(const std::string& number) {
  return number.size() <= 2 && number.find_first_not_of("0123456789") == number.npos ? std::stoi(number) : -1;
}

}  // namespace

NumberWords::NumberWords(const std::string& text) {
  std::u32string word;
  for (const char32_t c : code_points(lower_case(text) + " ")) {
    if (writes_signs(c)) unspaced_.push_back(c);
    has_known_script_ = has_known_script_ || is_of_known_script(c) || writes_signs(c);
    has_other_script_ = has_other_script_ || (is_unicode_letter(c) && !is_of_known_script(c) && !writes_signs(c));
    if (is_word_character(c) && digit_value(c) < 0) {
      word.push_back(c);
    } else if (!word.empty()) {
      words_.push_back(std::move(word));
      word.clear();
    }
  }
}

bool NumberWords::say_large() const {
  return any_pair(words_, list(inside_large), holds) || any_pair(words_, list(whole_large), is_word) ||
         unspaced_.find_first_of(U"十百千万萬億亿") != unspaced_.npos;
}

bool NumberWords::say_half() const {
  return any_pair(words_, list(inside_half), holds) || unspaced_.find(U'半') != unspaced_.npos;
}

bool NumberWords::say_small(const std::string& number, bool with_articles) const {
  const int value = value_of(number);
  if (has_other_script_ && !has_known_script_) return true;
  if (value >= 0 && value <= 10 && unspaced_.find_first_of(signs[value]) != unspaced_.npos) return true;
  if (value == 1 && with_articles && any_pair(words_, list(articles), is_word)) return true;
  const auto entry =
      std::find_if(std::begin(entries), std::end(entries), [&](const NumberEntry& e) { return number == e.value; });
  return entry != std::end(entries) &&
         any_pair(words_, list(entry->words), [&](const auto& word, const auto& pattern) {
           return is_word(word, pattern) && !is_larger(word, value);
         });
}

bool NumberWords::say(const std::string& number) const {
  if (const std::size_t point = number.find(".5"); point != number.npos && point + 2 == number.size()) {
    const std::string whole = number.substr(0, point);
    return say_half() && (whole == "0" || whole == "1" || say_small(whole, true));
  }
  const int value = value_of(number);
  if (value >= 0 && value <= 12) return say_small(number, true);
  return number.find_first_of(".^") == number.npos && say_large();
}

bool NumberWords::say_without_article(const std::string& number) const {
  return number == "1" ? say_small(number, false) : say(number);
}

}  // namespace gradus
