#pragma once
/// \file
/// The value of a word for a number, in the languages whose way of counting is known: English and German.

#include <cstdint>
#include <optional>
#include <string>

namespace gradus {

struct NumberWord {
  enum class Kind {
    cardinal,  ///< three, dreiundzwanzig
    scale,     ///< multiplies the number before it: dozen, hundred, Million
    plural,    ///< the same, and no number without one before it: Millionen
    ordinal,   ///< fifth, zwanzigste
    longer     ///< begins a longer word: zwanzigjährig
  };
  std::uint64_t value;
  Kind kind;
};

/// Whether number_word() knows the language, a code of number_languages.hpp.
bool counts_in(const std::string& language);

/// `word` is in lower case. Up to twelve German ordinals and longer words have no value here (number_language_rows.hpp has their words).
std::optional<NumberWord> number_word(const std::string& word, const std::string& language);

}  // namespace gradus
