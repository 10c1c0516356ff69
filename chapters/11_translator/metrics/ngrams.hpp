#pragma once
/// \file
/// The n-grams that both metrics count: n neighbouring pieces of a sentence. For BLEU a piece is a word, for chrF a
/// character.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gradus {

/// White space in Python: Unicode's, and the four separators of ASCII, U+001C to U+001F.
bool is_python_space(char32_t c);

/// The words of `line` with `separator` between them: " " puts exactly one space between words, "" removes all
/// white space. White space is Unicode's (no-break and ideographic spaces, tabs, line separators, ...), the set of
/// Python's str.split(), because the published scores were computed with it.
std::string join_words(std::string_view line, std::string_view separator);

/// Views of the words of a text that has exactly one space between them, as join_words(line, " ") leaves it.
std::vector<std::string_view> split_words(std::string_view text);

/// Views of the characters of a UTF-8 text, one code point each. A combining accent is a character, and so is each
/// part of an emoji that consists of several. A byte that is not UTF-8 is a character too.
std::vector<std::string_view> split_characters(std::string_view text);

/// The number of occurrences of each n-gram.
using NgramCounts = std::unordered_map<std::string_view, long>;

/// Counts the n-grams of `pieces`, which are in order in one text. An n-gram is a view of that text, from the start
/// of its first piece to the end of its last, so nothing is copied; the text must outlive the counts.
NgramCounts count_ngrams(const std::vector<std::string_view>& pieces, std::size_t n);

/// The number of n-grams of the hypothesis that are also in the reference. Each n-gram of the reference matches
/// only once: this "clipping" stops "the the the the" from scoring.
long matches(const NgramCounts& hypothesis, const NgramCounts& reference);

/// Raises each count of `most` to that of `more`, if that is larger: the counts for several references.
void keep_most(NgramCounts& most, const NgramCounts& more);

/// The number of n-grams, with repetitions.
long total_count(const NgramCounts& counts);

/// Throws Error, with the name of `metric`, unless there is at least one translation, and one reference for each.
void require_pairs(const char* metric, std::size_t translations, std::size_t references);

/// In place of a number of references: sentences have different numbers.
constexpr std::size_t varying_references = 0;

/// The beginning of a signature: nrefs:2, or nrefs:var.
std::string number_of_references(std::size_t references);

}  // namespace gradus
