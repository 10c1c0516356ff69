// The lists behind the warning about numbers: months, ordinals, tens, units, in each language. Each entry that is tried decides by itself.

#include <iterator>
#include <sstream>

#include "11_translator/warnings/changed_numbers.hpp"
#include "11_translator/warnings/number_words.hpp"
#include "gradus/io/utf8.hpp"
#include "support/catch.hpp"

using namespace gradus;
using Words = std::vector<std::string>;

namespace {

Words words_in(const std::string& list) {
  std::istringstream stream(list);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool names_number(const std::string& language, const std::string& text, const std::string& number) {
  return NumberWords(text, language).say(number);
}

/// Whether nothing of the numbers changes, their units and signs included.
bool is_same(const std::string& source, const std::string& translation) {
  const ChangedNumbers found = changed_numbers(source, translation, {"en", ""});
  return found.lost.empty() && found.added.empty();
}

}  // namespace

TEST_CASE("number vocabulary: a month says its number, and no other up to twelve") {
  const std::pair<const char*, const char*> months[] = {
      {"en", "January February March April may June July August September October November December"},
      {"de", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"},
      {"fr", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"},
      {"es", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"},
      {"it", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"},
      {"pt", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"},
      {"nl", "januari februari maart april mei juni juli augustus september oktober november december"},
      {"sv", "januari februari mars april maj juni juli augusti september oktober november december"},
      {"da", "januar februar marts april maj juni juli august september oktober november december"},
      {"nb", "januar februar mars april mai juni juli august september oktober november desember"},
      {"fi",
       "tammikuussa helmikuussa maaliskuussa huhtikuussa toukokuussa kesäkuussa heinäkuussa elokuussa "
       "syyskuussa lokakuussa marraskuussa joulukuussa"},
      {"pl", "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"},
      {"pl", "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień"},
      {"cs", "ledna února března dubna května června července srpna září října listopadu prosince"},
      {"cs", "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec"},
      {"hu", "január február március április május június július augusztus szeptember október november december"},
      {"ro", "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie"},
      {"ru", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"},
      {"ru", "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"},
      {"uk", "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"},
      {"uk", "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень"},
      {"tr", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"}};
  for (const auto& [code, list] : months) {
    const Words names = words_in(list);
    REQUIRE(names.size() == 12);
    for (int name = 1; name <= 12; ++name) {
      for (int value = 1; value <= 12; ++value) {
        INFO(code << " " << names[static_cast<std::size_t>(name - 1)] << " " << value);
        CHECK(names_number(code, names[static_cast<std::size_t>(name - 1)], std::to_string(value)) ==
              (name == value));
      }
    }
  }
}

TEST_CASE("number vocabulary: an ordinal says its number") {
  const std::pair<const char*, const char*> ordinals[] = {
      {"en", "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"},
      {"de", "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte"},
      {"fr",
       "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième "
       "douzième"},
      {"es", "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo"},
      {"it", "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo undicesimo dodicesimo"},
      {"pt", "primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo"},
      {"nl", "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde"},
      {"sv", "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde elfte tolfte"},
      {"da", "første anden tredje fjerde femte sjette syvende ottende niende tiende ellevte tolvte"},
      {"nb", "første andre tredje fjerde femte sjette sjuende åttende niende tiende ellevte tolvte"},
      {"fi", "ensimmäinen toinen kolmas neljäs viides kuudes seitsemäs kahdeksas yhdeksäs kymmenes"},
      {"pl", "pierwszy drugi trzeci czwarty piąty szósty siódmy ósmy dziewiąty dziesiąty jedenasty dwunasty"},
      {"cs", "první druhý třetí čtvrtý pátý šestý sedmý osmý devátý desátý jedenáctý dvanáctý"},
      {"hu", "első második harmadik negyedik ötödik hatodik hetedik nyolcadik kilencedik tizedik tizenegyedik"},
      {"ro", "prima doua treia patra cincea șasea șaptea opta noua zecea unsprezecea douăsprezecea"},
      {"ru",
       "первый второй третий четвертый пятый шестой седьмой восьмой девятый десятый одиннадцатый двенадцатый"},
      {"uk", "перший другий третій четвертий пятий шостий сьомий восьмий девятий десятий одинадцятий дванадцятий"},
      {"tr", "birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu"}};
  for (const auto& [code, list] : ordinals) {
    const Words names = words_in(list);
    for (std::size_t i = 0; i < names.size(); ++i) {
      INFO(code << " " << names[i]);
      CHECK(NumberWords(names[i], code).say_ordinal(std::to_string(i + 1)));
      CHECK_FALSE(NumberWords(names[i], code).say_ordinal(std::to_string((i + 1) % names.size() + 1)));
    }
  }
}

TEST_CASE("number vocabulary: tens, hundreds and more are larger numbers, and halves are parts") {
  const std::pair<const char*, const char*> large[] = {
      {"fr",
       "treize quatorze quinze seize vingt trente quarante cinquante soixante septante octante nonante cent "
       "mille million milliard douzaine dizaine"},
      {"es",
       "trece catorce quince dieciséis veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien "
       "ciento doscientos doscientas mil millón millones docena decena centenar"},
      {"it",
       "tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta "
       "sessanta settanta ottanta novanta cento mille duemila milione miliardo dozzina decina"},
      {"pt",
       "treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove vinte "
       "trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento duzentos trezentas mil milhão milhões "
       "bilhão dúzia dezena centena"},
      {"nl",
       "dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig "
       "zeventig tachtig negentig honderd duizend miljoen miljard dozijn tiental"},
      {"sv",
       "tretton fjorton femton sexton sjutton arton nitton tjugo trettio fyrtio femtio sextio sjuttio åttio "
       "nittio hundra tusen miljon miljard dussin"},
      {"da",
       "tretten fjorten femten seksten sytten atten nitten tyve tredive fyrre halvtreds tres femogtres firs "
       "halvfjerds halvfems hundrede tusind million milliard dusin"},
      {"nb",
       "tretten fjorten femten seksten sytten atten nitten tjue tyve tretti tredve førti femti seksti sytti "
       "åtti nitti hundre tusen million milliard dusin"},
      {"fi", "kolmetoista kaksikymmentä sata sataa sadan tuhat tuhannen tuhatta miljoona miljardi tusina"},
      {"pl",
       "trzynaście trzynastu dwadzieścia dwudziestu pięćdziesiąt pięćdziesięciu sto stu dwieście trzysta "
       "czterysta pięćset tysiąc tysięcy milion miliard tuzin dziesiątki"},
      {"cs",
       "třináct dvacet dvaceti dvacátý padesát šedesát osmdesát sto stovka stě třista čtyřista pětset tisíc "
       "milion miliarda desítky tucet"},
      {"hu",
       "tizenhárom húsz huszonöt huszadik harminc negyven ötven hatvan hetven nyolcvan kilencven száz ezer "
       "millió milliárd tucat"},
      {"ro", "treisprezece douăzeci sută sute mie mii milion miliard duzină"},
      {"ru",
       "тринадцать двадцать двадцати сорок сорока пятьдесят девяносто сто ста двести триста четыреста пятьсот "
       "тысяча миллион миллиард сотня сотен десятки дюжина"},
      {"uk",
       "тринадцять двадцять двадцяти сорок сорока пятдесят девяносто сто ста двісті триста чотириста пятсот "
       "тисяча мільйон мільярд сотня сотень десятки дюжина"},
      {"tr",
       "yirmi otuz kırk elli altmış yetmiş seksen doksan yüz bin binlerce milyon milyar onlarca yüzlerce "
       "düzine"}};
  for (const auto& [code, list] : large) {
    for (const std::string& word : words_in(list)) {
      INFO(code << " " << word);
      CHECK(names_number(code, word, "57"));
      CHECK_FALSE(names_number(code, word, "3"));
    }
  }
  const std::pair<const char*, const char*> halves[] = {
      {"en", "half"},      {"de", "halb"},    {"de", "Hälfte"},   {"de", "anderthalb"}, {"de", "dreieinhalb"},
      {"fr", "demi"},      {"fr", "moitié"},  {"es", "medio"},    {"es", "mitad"},      {"it", "mezzo"},
      {"it", "metà"},      {"pt", "meio"},    {"pt", "metade"},   {"nl", "halve"},      {"nl", "helft"},
      {"sv", "halv"},      {"sv", "hälften"}, {"da", "halv"},     {"da", "halvanden"},  {"nb", "halvt"},
      {"nb", "halvannen"}, {"fi", "puoli"},   {"pl", "pół"},      {"pl", "połowa"},     {"cs", "půl"},
      {"cs", "polovina"},  {"hu", "fél"},     {"hu", "másfél"},   {"ro", "jumătate"},   {"ru", "половина"},
      {"ru", "пол"},       {"ru", "полтора"}, {"uk", "половина"}, {"uk", "півтора"},    {"tr", "yarım"},
      {"tr", "buçuk"},     {"ja", "半"},      {"ko", "반"}};
  for (const auto& [code, word] : halves) {
    INFO(code << " " << word);
    CHECK(names_number(code, word, "0.5"));
    CHECK_FALSE(names_number(code, word, "0.25"));
  }
}

TEST_CASE("number vocabulary: East Asian signs") {
  const char* const signs[] = {
      "零〇無无",   "一壱单単首하한일첫", "二两兩双雙俩둘두이", "三叁仨셋세삼", "四넷네사",
      "五伍다섯오", "六여섯육",           "七일곱칠",           "八여덟팔",     "九아홉구"};
  for (std::size_t value = 0; value < std::size(signs); ++value) {
    for (const char32_t sign : code_points(signs[value])) {
      if (sign == U'일' && value == 7) continue;  // also one
      INFO(value << " " << to_utf8(std::u32string(1, sign)));
      CHECK(names_number("ja", to_utf8(std::u32string(1, sign)), std::to_string(value)));
    }
  }
  const char* const kana[] = {"ひと", "ふた",   "みっつ", "よっつ", "いつつ",   "むっつ",
                              "なな", "やっつ", "ここの", "とお",   "イレブン", "ダース"};
  for (std::size_t i = 0; i < std::size(kana); ++i) CHECK(names_number("ja", kana[i], std::to_string(i + 1)));
  for (const char* word : {"十", "百", "千",   "万",   "萬",   "億",   "亿", "십",   "백",   "천",   "만",
                           "억", "열", "스물", "스무", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"}) {
    INFO(word);
    CHECK(names_number("ja", word, "57"));
  }
}

TEST_CASE("number vocabulary: every word of a sign or a unit says it, and words of others do not") {
  const std::pair<const char*, const char*> rows[] = {
      {"-5",
       "minus moins menos meno mínus miinus минус мінус eksi negativ негатив below unter under zero zéro cero "
       "null nol nul nula nulla noll nolla zera ноль нуля нулем sıfır"},
      {"5%",
       "percent cent ciento procent prozent prosent promille százalék sută suta yüzde процент відсоток hundert"},
      {"$5", "dollars dólar dolar dollár доллар долар usd"},
      {"5€", "euros eur евро євро"},
      {"£5", "pound pfund livre libra sterling funt pund pond punta lira фунт gbp"},
      {"¥5", "yen yuan jen иен йен юань єн"},
      {"5°", "degrees grad graus degré graden stopni stupňů astetta fok derece градус celsius fahrenheit"},
      {"№5", "number nummer numer numéro número n nr no num номер číslo čísla szám numara număr"},
      {"5×",
       "times fold tenfold zehnmal zweimalig fach fois vez veces volte vezes keer maal gånger kert kertaista "
       "raz razy krát gange tízszer hatszor ötször ori раз kat kez kere"},
      {"5 kg", "kg kgs kilo quilo chilo кг килограмм кілограм"},
      {"5g", "g gr gram grammi г грамм"},
      {"5 mg", "milligram miligram мг миллиграмм міліграм"},
      {"5 km", "kms kilometre kilómetro quilómetro quilometro chilometri км километр кілометр"},
      {"5m", "metre mètre métre м метр"},
      {"5 cm", "centimetre centímetro Zentimeter centymetr senttiä santim см сантиметр"},
      {"5 mm", "millimetre milímetro milimetr мм миллиметр міліметр"},
      {"5l", "litre л литр літр"},
      {"5 ml", "millilitre mililitro мл миллилитр мілілітр"},
      {"5 mph", "mph miles Meilen mil mijl миль міль meile"},
      {"5 lb", "lb lbs pound pfund livre libra libbre funt pund pond фунт"},
      {"5 ft", "ft foot feet picioare fuß fuss pied pie pies pé pés voet fot fod jalka stopy láb piedi фут ayak"}};
  for (const auto& [number, words] : rows) {
    CHECK_FALSE(is_same("It is " + std::string(number) + " here.", "Es ist 5 Tisch."));
    for (const std::string& word : words_in(words)) {
      INFO(number << " " << word);
      CHECK(is_same("It is " + std::string(number) + " here.", "Es ist 5 " + word + "."));
    }
  }
  const std::pair<const char*, const char*> signs[] = {
      {"%", "‰ ٪ ％"}, {"$", "＄"},  {"£", "￡"},  {"¥", "￥"},  {"°", "℃ ℉"}, {"#", "№ ＃"}, {"×", "✕"},
      {"㎏", "kg"},    {"㎎", "mg"}, {"㎞", "km"}, {"㎝", "cm"}, {"㎜", "mm"}, {"ℓ", "l"},    {"㎖", "ml"}};
  for (const auto& [one, others] : signs) {
    for (const std::string& other : words_in(others)) {
      INFO(one << " " << other);
      CHECK(is_same("It is 5" + std::string(one) + ".", "Es ist 5" + other + "."));
    }
  }
}
