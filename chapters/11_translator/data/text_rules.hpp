#pragma once
/// \file
/// What a model leaves out of every text that it reads, case and punctuation, and how it cuts whole words.

#include <string>
#include <vector>

#include "01_embedding/vocabulary.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// Which text is put into the form of normal_text (gradus/io/normal_text.hpp).
enum class Normalisation {
  at_use,  ///< what a trained model reads, but not what it learns from: so were the models of earlier versions
  always,  ///< both
  never    ///< neither: for a model whose vocabulary has rules of its own, or that must see every character
};

template <>
struct Names<Normalisation> {
  static constexpr const char* noun = "choice of normalisation";
  static constexpr Name<Normalisation> table[] = {
      {Normalisation::at_use, "at-use"}, {Normalisation::always, "always"}, {Normalisation::never, "never"}};
};

struct TextRules {
  bool lower_case = false;  ///< of input, and so of output too; in every script
  bool punctuation = true;  ///< false: marks are left out, see without_punctuation()
  /// At use, the translator does more than apply_rules: see Normaliser (normaliser.hpp).
  Normalisation normalisation = Normalisation::at_use;
  WordRules words =
      WordRules::unicode;  ///< of a vocabulary of whole words; models that were trained earlier have bytes
};

/// `text` without punctuation marks (Unicode's general category P). An apostrophe or a hyphen between two letters or
/// digits disappears, so "man's" becomes "mans"; in place of every other mark there is a space.
/// Throws Error if `text` is not UTF-8.
std::string without_punctuation(const std::string& text);

/// `text` as a model with these rules learns it. Throws Error if a rule applies and `text` is not UTF-8.
std::string apply_rules(const TextRules& rules, const std::string& text);

/// References as the output of such a model is compared with: without what the model cannot write. Their case stays;
/// the scores have an option for it. No normalisation: scores compare letter by letter, as sacreBLEU does.
std::vector<std::string> comparable(const TextRules& rules, const std::vector<std::string>& references);

}  // namespace gradus
