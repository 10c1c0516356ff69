#include "11_translator/warnings/changed_numbers.hpp"

#include <algorithm>

#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

bool groups_thousands(char32_t c) {
  return std::u32string_view(U",.'\u2019\u00A0\u2009\u202F").find(c) != std::u32string_view::npos;
}

std::size_t end_of_digits(const std::u32string& text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

std::string without_zeros(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == digits.npos ? "0" : digits.substr(first);
}

/// Reads the number that begins at `at`, and moves `at` behind it.
std::string take_number(const std::u32string& text, std::size_t& at) {
  std::size_t end = end_of_digits(text, at);
  std::string digits(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(end));
  bool in_groups = digits.size() <= 3;
  while (in_groups && end < text.size() && groups_thousands(text[end])) {
    const std::size_t next = end_of_digits(text, end + 1);
    in_groups = next == end + 4;
    if (!in_groups) break;
    digits.append(text.begin() + static_cast<std::ptrdiff_t>(end + 1),
                  text.begin() + static_cast<std::ptrdiff_t>(next));
    end = next;
  }
  at = end;
  return without_zeros(digits);
}

std::string all_digits(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return digits;
}

/// The numbers of `all` that `others` has less often, in order.
std::vector<std::string> without(const std::vector<std::string>& all, std::vector<std::string> others) {
  std::vector<std::string> rest;
  for (const std::string& one : all) {
    const auto found = std::find(others.begin(), others.end(), one);
    if (found == others.end()) {
      rest.push_back(one);
    } else {
      others.erase(found);
    }
  }
  return rest;
}

bool may_be_word(const std::string& number) { return number.size() < 2 || (number.size() == 2 && number <= "12"); }

}  // namespace

std::vector<std::string> numbers_in(const std::string& text) {
  const std::u32string points = code_points(text);
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < points.size();) {
    if (is_digit(points[at])) {
      numbers.push_back(take_number(points, at));
    } else {
      ++at;
    }
  }
  return numbers;
}

ChangedNumbers changed_numbers(const std::string& source, const std::string& translation) {
  if (all_digits(source) == all_digits(translation)) return {};
  const std::vector<std::string> before = numbers_in(source), after = numbers_in(translation);
  ChangedNumbers found{without(before, after), without(after, before)};
  const bool as_words = found.added.empty() && std::all_of(found.lost.begin(), found.lost.end(), may_be_word);
  if (found.lost.empty() || as_words) return {};
  return found;
}

}  // namespace gradus
