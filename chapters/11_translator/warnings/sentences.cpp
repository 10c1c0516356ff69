#include "11_translator/warnings/sentences.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

// Marks of sentences that end (Unicode's property Sentence_Terminal). Behind those of the first kind white space stands, because
// they have other uses too; those of the second kind end a sentence by themselves.
constexpr std::u32string_view spaced_ends = U".!?\u2026\u203C\u203D\u2047\u2048\u2049\u2E2E\uFE52\uFE56\uFE57";
constexpr std::u32string_view own_ends =
    U"\u3002\uFF01\uFF1F\uFF61\uFF0E\u0964\u0965"
    U"\u0589\u061D\u061E\u061F\u06D4\u0700\u0701\u0702\u07F9\u104B\u1362\u1367\u1368\u166E\u1735\u1736\u17D4\u17D5"
    U"\u1803\u1809\u1944\u1945\u1AA8\u1AA9\u1AAA\u1AAB\u1B5A\u1B5B\u1B5E\u1B5F\u1C3B\u1C3C\u1C7E\u1C7F\uA4FF\uA60E"
    U"\uA60F"
    U"\uA6F3\uA6F7\uA876\uA877\uA8CE\uA8CF\uA92F\uA9C8\uA9C9\uAA5D\uAA5E\uAA5F\uAAF0\uAAF1\uABEB\uFE12\uFE15\uFE16";
constexpr std::u32string_view closers = U"\"'\u201D\u2019\u201C\u00BB\u203A)]}\u300D\u300F\uFF09\u3011\u300B";
constexpr std::u32string_view openers =
    U"\"'\u201C\u2018\u201E\u201A\u00AB\u2039([{\u00BF\u00A1\u300C\u300E\uFF08\u3010\u300A-\u2013\u2014";

using WordSet = std::set<std::string>;

// Abbreviations in lower case, without their full stop. Behind these, the sentence goes on.
const WordSet& never_last() {
  static const WordSet all = {
      "mr",     "mrs",  "ms",     "dr",     "prof", "st",   "ste",  "mt",   "ft",    "vs",   "gen",   "col",
      "capt",   "lt",   "sgt",    "rev",    "hon",  "gov",  "sen",  "rep",  "pres",  "fig",  "vol",   "pp",
      "nos",    "nr",   "cf",     "ca",     "bzw",  "evtl", "ggf",  "inkl", "exkl",  "tel",  "hr",    "fr",
      "hrsg",   "bspw", "vgl",    "ул",     "им",   "стр",  "гр",   "т.е",  "sog",   "geb",  "gest",  "mme",
      "mlle",   "sra",  "dra",    "srta",   "dott", "dipl", "abb",  "kap",  "chap",  "incl", "excl",  "resp",
      "messrs", "mgr",  "approx", "e.g",    "i.e",  "z.b",  "d.h",  "u.a",  "s.o",   "sras", "srs",   "dres",
      "dña",    "uds",  "ee",     "av",     "avda", "núm",  "pág",  "sig",  "sigg",  "ing",  "avv",   "mons",
      "exmo",   "exma", "séc",    "dhr",    "mevr", "mw",   "drs",  "bijv", "blz",   "dvs",  "t.ex",  "bl.a",
      "f.eks",  "kl",   "esim",   "klo",    "puh",  "np",   "tj",   "ul",   "św",    "godz", "inż",   "im",
      "płk",    "ks",   "např",   "tzv",    "tzn",  "sv",   "č",    "čp",   "nám",   "mudr", "judr",  "pl",
      "ún",     "ifj",  "özv",    "dl",     "vb",   "sn",   "yrd",  "doç",  "проф",  "акад", "доц",   "пр",
      "просп",  "пер",  "пл",     "обл",    "вул",  "див",  "напр", "св",   "тов",   "гг",   "вв",    "डॉ",
      "प्रो",    "श्री",  "पं",      "κα",     "κος",  "δρ",   "αρ",   "σελ",  "abt",   "bd",   "tsd",   "aufl",
      "ausg",   "ehem", "eigtl",  "entspr", "gegr", "insb", "jew",  "röm",  "übers", "ugs",  "urspr", "zzgl",
      "kath",   "hl",   "bldg",   "cpl",    "pvt",  "cmdr", "adm",  "atty", "msgr",  "supt"};
  return all;
}

// Behind these it goes on, unless a frequent first word follows.
const WordSet& seldom_last() {
  static const WordSet all = {
      "jr",   "sr",   "etc",  "eds", "ave", "blvd", "rd",   "dept", "univ",     "inc",  "ltd", "co",  "corp",
      "bros", "assn", "jan",  "feb", "apr", "jun",  "jul",  "aug",  "sep",      "sept", "oct", "okt", "nov",
      "dec",  "dez",  "usw",  "jh",  "jhd", "mio",  "mrd",  "др",   "руб",      "тыс",  "т.д", "т.п", "abs",
      "est",  "env",  "mm",   "al",  "ed",  "sec",  "eq",   "str",  "etcetera", "osv",  "enz", "itd", "itp",
      "atd",  "apod", "stb",  "jne", "ym",  "млн",  "млрд", "грн",  "κ.λπ",     "см",   "evt", "std", "sek",
      "hrs",  "tsp",  "tbsp", "lbs", "hwy", "pkwy", "apt",  "esq",  "hbf",      "bhf",  "maj"};
  return all;
}

// These are words, too: abbreviations only if a digit or a small letter follows.
const WordSet& also_words() {
  static const WordSet all = {"no", "art", "min", "max", "mag", "op", "ex", "mar", "tab", "ch", "ph", "рис", "ud"};
  return all;
}

/// Frequent first words of a sentence.
const WordSet& first_words() {
  static const WordSet all = {
      "he",    "she",  "it",   "they", "we",  "i",    "you",  "the",  "a",    "an",   "this", "that",
      "there", "then", "two",  "his",  "her", "my",   "our",  "er",   "sie",  "es",   "wir",  "ich",
      "ihr",   "der",  "die",  "das",  "ein", "eine", "dann", "dort", "il",   "elle", "ils",  "elles",
      "nous",  "je",   "le",   "la",   "les", "un",   "une",  "el",   "ella", "lui",  "lei",  "loro",
      "ele",   "ela",  "eles", "hij",  "zij", "ze",   "het",  "een",  "han",  "hon",  "hun",  "on",
      "ona",   "oni",  "он",   "она",  "они", "это",  "він",  "вона", "вони", "hän",  "ő"};
  return all;
}

bool ends_sentence(char32_t c) { return is_among(own_ends, c) || is_among(spaced_ends, c); }

class SentenceFinder {
 public:
  explicit SentenceFinder(const std::string& text) : text_(code_points(text)) {}

  /// Where a sentence begins: numbers of characters.
  std::vector<std::size_t> starts() const {
    std::vector<std::size_t> found;
    if (skip_spaces(0) < text_.size()) found.push_back(skip_spaces(0));
    for (std::size_t at = 0; at < text_.size();) {
      const bool own = is_among(own_ends, text_[at]);
      if (!own && !is_among(spaced_ends, text_[at]) && !is_greek_question(at)) {
        ++at;
        continue;
      }
      const std::size_t end = std::max(at + 1, end_of_marks(at));
      if (own ? begins_behind_own(at, end) : begins_behind(at, end))
        found.push_back(skip_spaces(skip(closers, end)));
      at = end;
    }
    return found;
  }

  std::size_t size_in_bytes(std::size_t begin, std::size_t end) const {
    return to_utf8(std::u32string_view(text_).substr(begin, end - begin)).size();
  }

 private:
  char32_t at(std::size_t i) const { return i < text_.size() ? text_[i] : U'\0'; }

  std::size_t skip(std::u32string_view set, std::size_t i) const {
    while (i < text_.size() && is_among(set, text_[i])) ++i;
    return i;
  }
  std::size_t skip_spaces(std::size_t i) const {
    while (i < text_.size() && is_white_space(text_[i])) ++i;
    return i;
  }

  std::size_t end_of_marks(std::size_t i) const {
    while (i < text_.size() && ends_sentence(text_[i])) ++i;
    return i;
  }

  /// A semicolon behind a Greek letter.
  bool is_greek_question(std::size_t i) const {
    const char32_t before = i > 0 ? text_[i - 1] : U'\0';
    return text_[i] == U';' && ((before >= 0x370 && before < 0x400) || (before >= 0x1F00 && before < 0x2000));
  }

  /// Behind a mark that no space follows. A quotation that closes there may go on: 「はい。」と言った. A full-width stop
  /// may be a decimal point.
  bool begins_behind_own(std::size_t mark, std::size_t end) const {
    if (mark > 0 && digit_value(text_[mark - 1]) >= 0 && digit_value(at(end)) >= 0) return false;
    const std::size_t closed = skip(closers, end), next = skip_spaces(closed);
    const std::size_t word = skip(openers, next);
    if (!is_word_character(at(word))) return false;
    return closed == end || next > closed || word > next;
  }

  bool begins_behind(std::size_t mark, std::size_t end) const {
    const std::size_t closed = skip(closers, end), next = skip_spaces(closed), word = skip(openers, next);
    const char32_t first = at(word);
    if (!is_word_character(first)) return false;
    const bool one_stop = end == mark + 1 && text_[mark] == U'.';
    if (next == closed) return closed == end && joined(mark, word) && (!one_stop || may_end(mark, word));
    if (one_stop && !may_end(mark, word)) return false;
    if (case_of(first) != LetterCase::small) return true;
    // Small letters: "Stop!" he said. It was ... nothing.
    const bool is_ellipsis = text_[mark] == U'\u2026' || (end > mark + 1 && text_[mark] == U'.');
    const bool stands_alone = mark == 0 || is_white_space(text_[mark - 1]);  // A dog !!! runs
    if (stands_alone && end == mark + 1 && !is_ellipsis)
      return first_words().count(word_at(word)) != 0;  // of a text in tokens
    return closed == end && !is_ellipsis && !stands_alone && (!one_stop || word_before(mark).size() > 2);
  }

  /// "run.They play.": the space is missing. Scripts without spaces and without cases need none.
  bool joined(std::size_t mark, std::size_t word) const {
    if (mark == 0 || text_[mark] == U'\u2026') return false;
    if (is_unspaced_letter(text_[mark - 1])) return is_unspaced_letter(at(word));
    const LetterCase wanted = case_of(text_[mark - 1]);
    std::size_t letters = 0;
    while (letters < mark && is_letter_of(text_[mark - 1 - letters], wanted)) ++letters;
    std::size_t end = word;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    if (end < text_.size() && ends_sentence(text_[end])) ++end;
    const bool is_last = end >= text_.size() || is_white_space(text_[end]) || text_[end] == U',';
    if (wanted == LetterCase::small) return letters >= 2 && case_of(at(word)) == LetterCase::capital && is_last;
    return wanted == LetterCase::none && letters >= 3 && is_word_character(at(word + 1)) &&
           is_letter_of(at(word), wanted) && is_last;
  }

  static bool is_letter_of(char32_t c, LetterCase wanted) {
    return is_word_character(c) && digit_value(c) < 0 && case_of(c) == wanted;
  }

  /// The word that ends before the mark, with the full stops in it, in lower case.
  std::string word_before(std::size_t mark) const {
    std::size_t begin = mark;
    while (begin > 0 && (is_word_character(text_[begin - 1]) || text_[begin - 1] == U'.')) --begin;
    return lower_case(to_utf8(std::u32string_view(text_).substr(begin, mark - begin)));
  }

  std::string word_at(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    return lower_case(to_utf8(std::u32string_view(text_).substr(begin, end - begin)));
  }

  /// "1. A dog runs." is an entry of a list.
  bool begins_text(std::size_t i) const { return skip(openers, skip_spaces(0)) == i; }

  /// Whether these letters before the mark are a Roman number: Ludwig XIV. regierte.
  bool is_roman(std::size_t mark, std::size_t letters) const {
    const std::u32string_view word = std::u32string_view(text_).substr(mark - letters, letters);
    return letters > 1 && word.find_first_not_of(U"IVXLCDM") == word.npos;
  }

  /// "Hauptstr. 5"
  static bool is_street(const std::string& word) {
    const std::string end = "str";
    return word.size() > end.size() && word.compare(word.size() - end.size(), end.size(), end) == 0;
  }

  /// Whether a single full stop may end a sentence, and not an abbreviation, an initial or an ordinal.
  bool may_end(std::size_t mark, std::size_t next) const {
    const std::string word = word_before(mark);
    const std::u32string letters = code_points(word);
    if (letters.empty()) return true;
    const bool is_followed = first_words().count(word_at(next)) != 0;
    const bool is_number =
        std::all_of(letters.begin(), letters.end(), [](char32_t c) { return digit_value(c) >= 0; });
    if (is_number) return letters.size() > 3 || (is_followed && !begins_text(mark - letters.size()));
    if (is_roman(mark, letters.size())) return is_followed;
    if (letters.size() == 1) return columns_of(letters[0]) == 2;
    if (never_last().count(word) != 0) return false;
    if (also_words().count(word) != 0) return case_of(at(next)) == LetterCase::capital;
    const auto stops = static_cast<std::size_t>(std::count(letters.begin(), letters.end(), U'.'));
    const bool has_inner_stops =
        stops != 0 && (letters.size() < 8 || letters.size() == 2 * stops + 1);            // S.C.U.B.A.
    if (has_inner_stops) return is_followed && case_of(at(next)) == LetterCase::capital;  // not: at 5 p.m. he runs
    return is_followed || !(seldom_last().count(word) != 0 || is_street(word));
  }

  std::u32string text_;
};

}  // namespace

std::size_t sentences_in(const std::string& text) { return SentenceFinder(text).starts().size(); }

std::vector<std::size_t> sentence_starts(const std::string& text) {
  const SentenceFinder finder(text);
  std::vector<std::size_t> starts = finder.starts();
  std::size_t characters = 0, bytes = 0;
  for (std::size_t& start : starts) {
    bytes += finder.size_in_bytes(characters, start);
    characters = std::exchange(start, bytes);
  }
  return starts;
}

bool is_end_mark(const std::string& text) {
  if (text.empty() || !is_utf8(text)) return false;
  const std::u32string points = code_points(text);
  return std::all_of(points.begin(), points.end(), ends_sentence);
}

}  // namespace gradus
