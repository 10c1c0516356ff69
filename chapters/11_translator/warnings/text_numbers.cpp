#include "11_translator/warnings/text_numbers.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr char32_t fraction_slash = 0x2044;
constexpr char narrow_space = '_';  // in plain() below: a space that parts no words

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A sign beside digits in ASCII; a blank for signs that mean nothing there.
char plain_sign(char32_t c) {
  constexpr char32_t first_full_width = 0xFF01, last_full_width = 0xFF5E;
  if (c >= first_full_width && c <= last_full_width) c = c - first_full_width + U'!';
  switch (c) {
    case U'\u00A0':
    case U'\u2007':
    case U'\u2008':
    case U'\u2009':
    case U'\u202F':
      return narrow_space;
    case U'\u2019':
    case U'\u02BC':
      return '\'';
    case U'\u00B7':  // a decimal point in the middle
    case U'\u066B':  // Arabic's decimal sign
      return '.';
    case U'\u060C':  // Arabic's comma
    case U'\u066C':  // and its sign for thousands
      return ',';
    case fraction_slash:
      return '/';
    default:
      return c < 0x80 && c != U'^' && c != U'_' ? static_cast<char>(c) : '~';
  }
}

/// A character with ASCII digits; "^" stands before raised ones, and all letters of other scripts become one sign.
std::string plain(char32_t c, bool behind_digit) {
  const Numeral numeral_here = numeral(c);
  if (numeral_here.kind == Numeral::Kind::none) return {plain_sign(c)};
  std::string found;
  if (numeral_here.kind == Numeral::Kind::raised) found += behind_digit ? '^' : ' ';
  if (numeral_here.kind == Numeral::Kind::fraction && behind_digit) found += ' ';
  for (const char32_t digit : numeral_here.digits) found += plain_sign(digit);
  return found;
}

std::string without_zeros(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == digits.npos ? "0" : digits.substr(first);
}

std::string decimal(const std::string& whole, std::string part) {
  part.erase(part.find_last_not_of('0') + 1);
  return without_zeros(whole) + (part.empty() ? "" : "." + part);
}

/// Digits and the sign before them.
struct Part {
  char sign = 0;
  std::string digits;
};

class Reader {
 public:
  Reader(const std::string& text, const NumberReading& reading) : reading_(reading) {
    std::size_t place = 0;
    for (const char32_t c : code_points(text)) {
      text_ += plain(c, !text_.empty() && is_digit(text_.back()));
      places_.resize(text_.size(), place++);
    }
  }

  std::vector<TextNumber> numbers() {
    std::vector<TextNumber> all;
    while (at_ < text_.size()) {
      if (!is_digit(text_[at_])) {
        ++at_;
        continue;
      }
      const std::size_t begin = is_behind_point() ? at_ - 1 : at_;
      take_one();
      for (std::string& value : found_) all.push_back({std::move(value), places_[begin], places_[at_ - 1] + 1});
      found_.clear();
    }
    return all;
  }

 private:
  /// ".5"
  bool is_behind_point() const { return at_ > 0 && text_[at_ - 1] == '.' && (at_ < 2 || text_[at_ - 2] == ' '); }

  void take_one() {
    if (is_behind_point()) {
      found_.push_back(decimal("0", take_digits()));
    } else {
      take_chain();
    }
  }

  std::string take_digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool digit_at(std::size_t at) const { return at < text_.size() && is_digit(text_[at]); }

  bool parts(char sign) const {
    return sign == '.' || sign == ',' || sign == ':' || sign == '\'' || sign == narrow_space ||
           (sign == ' ' && reading_.spaces);
  }

  /// Digits with signs between them: "1,234.56", "14.03.2023", "7:45".
  void take_chain() {
    std::vector<Part> chain{{0, take_digits()}};
    while (at_ < text_.size() && parts(text_[at_]) && digit_at(at_ + 1)) {
      const char sign = text_[at_++];
      chain.push_back({sign, take_digits()});
    }
    read(chain);
    if (digit_at(at_ + 1) && text_[at_] == '^') {
      ++at_;
      found_.back() += "^" + take_digits();
    } else if (reading_.fractions && chain.size() == 1) {
      take_fraction();
    }
  }

  void read(const std::vector<Part>& chain) {
    bool fractions = reading_.fractions;
    for (std::size_t i = 0; i < chain.size();) {
      std::string digits = chain[i].digits;
      const std::size_t end = end_of_groups(chain, i);
      for (std::size_t k = i + 1; k < end; ++k) digits += chain[k].digits;
      const bool one_left = end + 1 == chain.size() && (chain[end].sign == '.' || chain[end].sign == ',') &&
                            (end == i + 1 || chain[end].sign != chain[end - 1].sign);
      if (fractions && one_left) {
        found_.push_back(decimal(digits, chain[end].digits));
        return;
      }
      fractions = false;  // more than one sign: a date, a time, a version
      const bool is_full_hour = chain[i].sign == ':' && digits == "00";  // 12:00 is 12 Uhr
      if (!is_full_hour) found_.push_back(without_zeros(digits));
      i = end;
    }
  }

  /// South Asia's groups, "12,34,567", to the end of the chain.
  static bool has_groups_of_two(const std::vector<Part>& chain, std::size_t i) {
    if (chain.size() < i + 3 || chain[i].digits.size() > 2 || chain.back().digits.size() != 3) return false;
    const auto is_group = [&](const Part& part) {
      return part.sign == ',' && part.digits.size() == (&part == &chain.back() ? 3U : 2U);
    };
    return std::all_of(chain.begin() + static_cast<std::ptrdiff_t>(i) + 1, chain.end(), is_group);
  }

  /// The end of the groups of thousands that begin with part i; i + 1 if there are none. In "1.000.50" there are none: the same sign
  /// goes on with what is no group.
  static std::size_t end_of_groups(const std::vector<Part>& chain, std::size_t i) {
    std::size_t end = i + 1;
    if (chain[i].digits.size() > 3 || chain[i].digits[0] == '0') return end;
    if (has_groups_of_two(chain, i)) return chain.size();
    while (end < chain.size() && chain[end].digits.size() == 3 && chain[end].sign != ':' &&
           chain[end].sign == chain[i + 1].sign)
      ++end;
    const bool goes_on = end > i + 1 && end < chain.size() && chain[end].sign == chain[i + 1].sign;
    return goes_on && (chain[end].sign == '.' || chain[end].sign == ',') ? i + 1 : end;
  }

  /// Behind one number without signs: "/2" makes it a fraction, " 1/2" adds one to it. "3/14/2023" is a date.
  void take_fraction() {
    const std::size_t begin = at_;
    const bool is_mixed = digit_at(at_ + 1) && text_[at_] == ' ';
    std::string upper = found_.back();
    if (is_mixed) ++at_, upper = take_digits();
    const bool slash = digit_at(at_ + 1) && text_[at_] == '/';
    if (slash) ++at_;
    const std::string lower = slash ? take_digits() : "";
    const bool is_date = digit_at(at_ + 1) && text_[at_] == '/';
    const double above = std::atof(upper.c_str()), below = std::atof(lower.c_str());
    const bool is_fraction = slash && !is_date && upper.size() <= 3 && lower.size() <= 3 && below > 0;
    if (!is_fraction || (is_mixed && above >= below)) {
      at_ = begin;
      if (slash && !is_mixed) skip_date();
      return;
    }
    char value[40];
    std::snprintf(value, sizeof value, "%.5f", above / below + (is_mixed ? std::atof(found_.back().c_str()) : 0));
    const std::string number = value;
    found_.back() = decimal(number.substr(0, number.find('.')), number.substr(number.find('.') + 1));
  }

  /// The other parts of a date, so that the last two are no fraction.
  void skip_date() {
    while (digit_at(at_ + 1) && text_[at_] == '/') {
      ++at_;
      found_.push_back(without_zeros(take_digits()));
    }
  }

  std::string text_;                 // in ASCII
  std::vector<std::size_t> places_;  // of each character of text_: that in the text
  NumberReading reading_;
  std::vector<std::string> found_;  // the values of one number, or of the parts of a date
  std::size_t at_ = 0;
};

}  // namespace

std::vector<TextNumber> text_numbers(const std::string& text, const NumberReading& reading) {
  return Reader(text, reading).numbers();
}

}  // namespace gradus
