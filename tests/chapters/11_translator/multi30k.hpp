#pragma once
/// \file
/// Sentences of Multi30k, from the folder that GRADUS_DATA names, and translations of them with known mistakes.

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "gradus/io/lines.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// Prints a message if the data are missing, because a skipped test should be visible.
inline bool multi30k_is_here() {
  if (std::getenv("GRADUS_DATA") != nullptr) return true;
  WARN("GRADUS_DATA is not set, so nothing was tried on Multi30k");
  return false;
}

/// The sentences of one side: multi30k("val.de").
inline std::vector<std::string> multi30k(const std::string& name) {
  const std::string path = std::getenv("GRADUS_DATA") + ('/' + name + ".gz");
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw Error(path + ": cannot be read");
  std::string text;
  char block[1 << 14];
  for (int got = 0; (got = gzread(file, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  gzclose(file);
  return split_lines(text, path);
}

/// The words of a sentence for whose number `keep` is true.
template <class Keep>
std::string kept_words(const std::string& sentence, const Keep& keep) {
  std::istringstream words(sentence);
  std::string kept, word;
  for (std::size_t j = 0; std::getline(words, word, ' '); ++j) {
    if (keep(j)) kept += (kept.empty() ? "" : " ") + word;
  }
  return kept;
}

/// The function of the same name in tests/golden/make_scores.py.
inline std::vector<std::string> changed(std::vector<std::string> sentences, const std::string& change) {
  if (change == "next sentence") std::rotate(sentences.begin(), sentences.begin() + 1, sentences.end());
  const auto starts = [&](const char* kind) { return change.rfind(kind, 0) == 0; };
  const bool odd = change != "drop words of even lines", even = change != "drop words of odd lines";
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::string& sentence = sentences[i];
    if (change == "lower case") sentence = lower_case(sentence);
    if (change == "one word before") sentence = "well " + sentence;
    if (change == "first three words") sentence = kept_words(sentence, [](std::size_t j) { return j < 3; });
    if (starts("drop words") && (i % 2 == 1 ? odd : even))
      sentence = kept_words(sentence, [i](std::size_t j) { return (i + 3 * j) % 7 != 0; });
  }
  return sentences;
}

}  // namespace gradus::test
