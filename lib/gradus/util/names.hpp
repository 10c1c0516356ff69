#pragma once
/// \file
/// The word that stands for each value of an enum: on the command line, in files, in help and in messages. Each enum has
/// one table, beside its definition; all code that reads or writes the word uses that table.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {

/// A value and its word.
template <class Enum>
struct Name {
  Enum value;
  const char* name;
};

/// The table of an enum, in the order in which help and messages list the words:
///
///     template <>
///     struct Names<Norm> {
///       static constexpr const char* noun = "norm";  // what a message calls such a value
///       static constexpr Name<Norm> table[] = {{Norm::pre, "pre"}, {Norm::post, "post"}};
///     };
///
/// Stored files contain the words: if one changes, older files can no longer be read.
template <class Enum>
struct Names;

/// The word of a value. Throws Error for a value that the table lacks.
template <class Enum>
const char* name_of(Enum value) {
  for (const Name<Enum>& entry : Names<Enum>::table) {
    if (entry.value == value) return entry.name;
  }
  fail(std::string("there is no name for ") + Names<Enum>::noun + " number " +
       std::to_string(static_cast<int>(value)));
}

/// All words, in the order of the table.
template <class Enum>
std::vector<std::string> all_names() {
  std::vector<std::string> words;
  for (const Name<Enum>& entry : Names<Enum>::table) words.emplace_back(entry.name);
  return words;
}

/// The same as a phrase, "constant, linear or cosine".
template <class Enum>
std::string names_phrase() {
  const std::vector<std::string> words = all_names<Enum>();
  std::string phrase = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) phrase += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return phrase;
}

/// The value that a word stands for; none for another word.
template <class Enum>
std::optional<Enum> value_named(const std::string& word) {
  for (const Name<Enum>& entry : Names<Enum>::table) {
    if (word == entry.name) return entry.value;
  }
  return {};
}

/// The same. Throws UsageError for another word; the message lists the accepted words.
template <class Enum>
Enum parse(const std::string& word) {
  if (const std::optional<Enum> value = value_named<Enum>(word)) return *value;
  throw UsageError(std::string("there is no ") + Names<Enum>::noun + " " + quoted(word) + ": " +
                   names_phrase<Enum>());
}

}  // namespace gradus
