#pragma once
/// \file
/// What a model leaves out of every text that it reads: case, punctuation.

#include <string>
#include <vector>

namespace gradus {

struct TextRules {
  bool lower_case = false;  ///< of input, and so of output too; in every script
  bool punctuation = true;  ///< false: marks are left out, see without_punctuation()
};

/// `text` without punctuation marks (Unicode's general category P). An apostrophe or a hyphen between two letters or
/// digits disappears, so "man's" becomes "mans"; in place of every other mark there is a space.
/// Throws Error if `text` is not UTF-8.
std::string without_punctuation(const std::string& text);

/// `text` as a model with these rules reads it. Throws Error if a rule applies and `text` is not UTF-8.
std::string apply_rules(const TextRules& rules, const std::string& text);

/// References as the output of such a model is compared with: without what the model cannot write. Their case stays;
/// the scores have an option for it.
std::vector<std::string> comparable(const TextRules& rules, const std::vector<std::string>& references);

}  // namespace gradus
