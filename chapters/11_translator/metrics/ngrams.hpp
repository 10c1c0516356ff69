#pragma once
/// \file
/// What both metrics count: slices of n neighbouring pieces of a sentence. For BLEU a piece is a word, for chrF a
/// character.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gradus {

/// The words of `line` with `separator` between them: " " puts exactly one space between words, "" removes all
/// white space. White space is what Unicode calls so (no-break and ideographic spaces, tabs, line separators), the
/// set of Python's str.split(), because that is what the published scores were computed with.
std::string join_words(std::string_view line, std::string_view separator);

/// Views of the words of a text that has exactly one space between them, as join_words(line, " ") leaves it.
std::vector<std::string_view> split_words(std::string_view text);

/// Views of the characters of a UTF-8 text, one code point each: an accent written as a combining mark counts for
/// itself, and so does each part of an emoji that is put together from several. A byte that is not UTF-8 is one
/// too.
std::vector<std::string_view> split_characters(std::string_view text);

/// How often each n-gram occurs.
using NgramCounts = std::unordered_map<std::string_view, long>;

/// Counts the n-grams of `pieces`, which lie in one text, in order. An n-gram is the part of that text from its
/// first piece to the end of its last one, so nothing is copied; the text must outlive the counts.
NgramCounts count_ngrams(const std::vector<std::string_view>& pieces, std::size_t n);

/// How many n-grams of the hypothesis the reference has too. Each one of the reference can be matched only once:
/// this is the "clipping" that stops "the the the the" from scoring.
long matches(const NgramCounts& hypothesis, const NgramCounts& reference);

/// Raises each count of `most` to that of `more`, where that one is larger: what several references have between them.
void keep_most(NgramCounts& most, const NgramCounts& more);

/// The number of n-grams that were counted, repetitions included.
long total_count(const NgramCounts& counts);

/// Throws Error, in the name of `metric`, unless there is one reference for each translation, and at least one.
void require_pairs(const char* metric, std::size_t translations, std::size_t references);

}  // namespace gradus
