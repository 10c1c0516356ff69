#include "app/options/suggestion.hpp"

#include <algorithm>
#include <cstddef>

namespace gradus {
namespace {

/// The smallest number of letters to remove, insert, replace or swap with their neighbour that turns `b` into `a`
/// (Damerau 1964, no letter changed twice).
std::size_t distance(const std::string& a, const std::string& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const std::size_t exchange = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, exchange});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return table.back();
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // longer words are no typing mistakes
  const std::size_t letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  if (letters < 2 || word.size() > longest) return "";
  std::string best;
  std::size_t least = std::max<std::size_t>(1, letters / 3) + 1;
  for (const std::string& name : known) {
    const bool begins = letters > 2 && name.rfind(word, 0) == 0;
    const std::size_t d = begins ? 0 : distance(word, name);
    if (d < least) best = name, least = d;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string best = nearest(word, known);
  return best.empty() ? "" : "; did you mean " + best + "?";
}

}  // namespace gradus
