#include "11_translator/warnings/number_marks.hpp"

#include <algorithm>
#include <string_view>

#include "11_translator/warnings/number_languages.hpp"
#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

struct MarkRow {
  const char* name;
  const char32_t* signs;
  const char* units;  ///< letters behind the digits, in lower case
  const char* words;  ///< that say it, in the languages of number_languages(); a star stands for any letters
};

constexpr const char* minus_row = "-";

constexpr MarkRow mark_rows[] = {
    {minus_row, U"", "",
     "minus moins menos meno mínus* miinus* минус* мінус* eksi negativ* негатив* below unter under zero zéro cero "
     "null nol nul nula nulla* "
     "noll* nolla* zera ноль нуля нулем sifir*"},
    {"%", U"%‰٪％", "",
     "percent* cent* cient* prozent* procent* prosent* promil* százalék* sută suta yüzde* процент* відсот* "
     "hundert*"},
    {"$", U"$＄", "", "dollar* dólar* dolar* dollár* доллар* долар* usd"},
    {"€", U"€", "", "euro* eur евро євро"},
    {"£", U"£￡", "", "pound* pfund* livre* libra* sterl* sterlin* funt* pund pond punta* lir* фунт* gbp"},
    {"¥", U"¥￥", "", "yen* yuan* jen* иен* йен* юан* єн*"},
    {"°", U"°℃℉", "",
     "degree* grad* grau* degré* graden stopni* stup* aste* fok* derece* градус* celsius* fahrenheit*"},
    {"№", U"№#＃", "",
     "number* nummer* numer* numéro* número* n nr no num номер* číslo čísl* szám* numar* număr* numara*"},
    {"x", U"×✕", "x",
     "times fold *fold *mal *malig* *fach* fois vez veces volt* vezes keer maal gång* gang* kert* *kertais* raz "
     "razy krát* *krát* "
     "*szor* *szer* *ször* ori раз* kat kez kere"},
    {"kg", U"㎏", "kg kgs", "kilo* quilo* chilo* кг кило* кіло*"},
    {"g", U"", "g", "gr gram* grammi г грам*"},
    {"mg", U"㎎", "mg", "milligram* miligram* мг миллиграмм* міліграм*"},
    {"km", U"㎞", "km kms", "kilom* kilóm* quilóm* quilom* chilom* км километр* кілометр*"},
    {"m", U"", "m", "met* mèt* mét* м метр*"},
    {"cm", U"㎝", "cm", "centim* centím* zentim* centym* sentti* santim* см сантиметр*"},
    {"mm", U"㎜", "mm", "millim* milím* milim* мм миллиметр* міліметр*"},
    {"l", U"ℓ", "l L", "lit* л літр* литр*"},
    {"ml", U"㎖", "ml", "millil* milil* мл миллилитр* мілілітр*"},
    {"mph", U"", "mph", "mile* meile* mil* mijl* мил* міл* meil*"},
    {"lb", U"", "lb lbs", "pound* pfund* livre* libra* libbr* funt* pund pond фунт*"},
    {"ft", U"", "ft",
     "foot feet fuß fuss pied* pie pies pied* pé pés voet* fot fod jalk* stop* láb* picio* фут* ayak"},
};

/// Signs that separate a number from the text around it, and so belong to none.
constexpr std::u32string_view separators = U"`|<>~", brackets = U"()[]{}";

bool is_minus(char32_t c) { return is_among(U"-\u2010\u2011\u2012\u2013\u2212\uFE63\uFF0D", c); }
bool is_letter_beside(char32_t c) { return is_word_character(c) && !is_number(c) && has_spaces(c); }

/// The row whose signs have `c`; null if there is none.
const MarkRow* row_of_sign(char32_t c) {
  for (const MarkRow& row : mark_rows)
    if (is_among(row.signs, c)) return &row;
  return nullptr;
}

/// Whether a word is one of a row's list.
bool is_word_of(std::string_view list, const std::string& word) {
  for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

const MarkRow* row_of_unit(const std::u32string& letters) {
  if (letters.empty()) return nullptr;
  const std::string unit = letters.size() == 1 ? to_utf8(letters) : lower_case(to_utf8(letters));
  for (const MarkRow& row : mark_rows)
    if (is_word_of(row.units, unit)) return &row;
  return nullptr;
}

/// Letters, digits, and signs such as $, °, % and =.
bool is_attached_sign(char32_t c) {
  if (is_among(separators, c)) return false;
  return (is_word_character(c) && (has_spaces(c) || is_number(c))) || is_symbol(c) || row_of_sign(c) != nullptr;
}

class MarkFinder {
 public:
  MarkFinder(const std::u32string& text, std::size_t begin, std::size_t end)
      : text_(text),
        begin_(begin),
        end_(end),
        first_(begin - std::min(begin, farthest)),
        last_(std::min(text.size(), end + farthest)) {
    look_at_letters(begin, end);
    take_before();
    take_behind(end);
    found_.written = to_utf8(std::u32string_view(text).substr(begin_, end_ - begin_));
  }

  NumberMarks found_;

 private:
  char32_t at(std::size_t i) const { return i < last_ ? text_[i] : U'\0'; }
  char32_t before(std::size_t count) const { return begin_ >= first_ + count ? text_[begin_ - count] : U'\0'; }

  void add(const MarkRow* row) {
    if (row != nullptr && std::find(found_.names.begin(), found_.names.end(), row->name) == found_.names.end())
      found_.names.emplace_back(row->name);
  }

  /// A minus has nothing before it, or an opening bracket, or a space behind what is no number.
  bool has_minus() const {
    if (!is_minus(before(1))) return false;
    const char32_t left = before(2);
    if (is_white_space(left)) return !is_number(before(3));
    return left == U'\0' || (is_punctuation(left) && !is_minus(left));
  }

  /// Whether a sign such as $ stands before the space before the number, and belongs to no number itself.
  bool has_sign_apart() const {
    if (!is_white_space(before(1)) || !is_among(U"$€£¥№#", before(2))) return false;
    return !is_number(before(3)) && !(is_white_space(before(3)) && is_number(before(4)));
  }

  void take_before() {
    for (;;) {
      const char32_t c = before(1);
      if (has_minus()) {
        found_.names.emplace_back(minus_row);
        --begin_;
      } else if (is_attached_sign(c)) {
        add(row_of_sign(c));
        --begin_;
      } else if (has_sign_apart()) {
        --begin_;
      } else if (is_punctuation(c) && !is_among(brackets, c) && is_number(before(2))) {
        begin_ -= 2;  // the sign of a date, a time, a range
      } else {
        return;
      }
    }
  }

  std::u32string letters_at(std::size_t i) const {
    std::size_t end = i;
    while (is_letter_beside(at(end))) ++end;
    return is_number(at(end)) ? U"" : text_.substr(i, end - i);
  }

  void take_behind(std::size_t digits_end) {
    take_attached();
    if (end_ != digits_end) return;
    take_unit_apart();
    take_attached();  // the C of °C, the /h of km/h
  }

  void take_attached() {
    for (;;) {
      const char32_t c = at(end_), next = at(end_ + 1);
      const bool is_sign = is_punctuation(c) && !is_among(brackets, c);
      if (is_attached_sign(c)) {
        add(row_of_sign(c));
        ++end_;
      } else if (is_sign && (is_number(next) || (c == U'/' && is_letter_beside(next)))) {
        end_ += 2;
      } else {
        return;
      }
    }
  }

  /// Behind a space or a hyphen.
  void take_unit_apart() {
    if (!is_white_space(at(end_)) && !is_minus(at(end_))) return;
    const std::u32string letters = letters_at(end_ + 1);
    const MarkRow* const row = is_among(U"%‰٪％$€£°℃℉", at(end_ + 1)) ? row_of_sign(at(end_ + 1))
                               : letters.size() > 1                   ? row_of_unit(letters)
                                                                      : nullptr;
    if (row == nullptr) return;
    add(row);
    end_ += 1 + std::max<std::size_t>(1, letters.size());
  }

  void look_at_letters(std::size_t begin, std::size_t end) {
    const std::u32string behind = letters_at(end);
    std::size_t first = begin;
    while (first > first_ && is_letter_beside(text_[first - 1])) --first;
    const MarkRow* const unit = row_of_unit(behind);
    const std::string small = lower_case(to_utf8(behind));
    add(unit);
    found_.is_ordinal = !small.empty() && is_word_of("st nd rd th e ème ère eme º ª", small);
    const std::u32string beside = text_.substr(first, begin - first) + behind;
    const bool has_capital =
        std::any_of(beside.begin(), beside.end(), [](char32_t c) { return case_of(c) == LetterCase::capital; });
    found_.is_name = has_capital && unit == nullptr && !found_.is_ordinal && !is_word_of("am pm k m", small);
    if (found_.is_name) found_.name = lower_case(to_utf8(text_.substr(first, end + behind.size() - first)));
    found_.is_joined = (is_letter_beside(at(end)) && is_number(at(end + 1))) ||
                       (first + 1 == begin && first > first_ && is_number(text_[first - 1]));
  }

  static constexpr std::size_t farthest = 40;  // characters from the digits: a chain of numbers may be endless

  const std::u32string& text_;
  std::size_t begin_, end_, first_, last_;
};

/// The patterns of each row, its units among them.
const std::vector<WordPatterns>& patterns_of_rows() {
  static const std::vector<WordPatterns> all = [] {
    std::vector<WordPatterns> patterns;
    for (const MarkRow& row : mark_rows)
      patterns.push_back(word_patterns(std::string(row.units) + ' ' + row.words));
    return patterns;
  }();
  return all;
}

}  // namespace

NumberMarks number_marks(const std::u32string& text, std::size_t begin, std::size_t end) {
  return MarkFinder(text, begin, end).found_;
}

SaidMarks::SaidMarks(const std::string& text) : text_(code_points(text)), words_(folded_words(text)) {
  has_other_script_ = std::any_of(text_.begin(), text_.end(),
                                  [](char32_t c) { return is_unicode_letter(c) && !is_latin_or_cyrillic(c); });
}

bool SaidMarks::has_minus_apart() const {
  for (std::size_t i = 0; i + 2 < text_.size(); ++i) {
    const bool begins = i == 0 || is_white_space(text_[i - 1]);
    if (begins && is_minus(text_[i]) && is_white_space(text_[i + 1]) && is_number(text_[i + 2])) return true;
  }
  return false;
}

bool SaidMarks::say(const std::string& name) const {
  if (has_other_script_ || (name == minus_row && has_minus_apart())) return true;
  const auto row =
      std::find_if(std::begin(mark_rows), std::end(mark_rows), [&](const MarkRow& r) { return r.name == name; });
  const WordPatterns& patterns = patterns_of_rows()[static_cast<std::size_t>(row - std::begin(mark_rows))];
  const bool is_said = std::any_of(words_.begin(), words_.end(), [&](const std::u32string& word) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const WordPattern& p) { return p.fits(word); });
  });
  return is_said || text_.find_first_of(row->signs) != text_.npos;
}

}  // namespace gradus
