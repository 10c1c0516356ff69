#pragma once
/// \file
/// Warnings about translations on the standard error stream.

#include <map>
#include <string>
#include <vector>

#include "11_translator/translator/translation_warnings.hpp"

namespace gradus {

/// Prints all of them.
void warn_about(const std::vector<TranslationWarning>& warnings);

/// Of each of these files, the first line that has carriage returns within it, which may be line ends.
void warn_of_returns(const std::vector<std::vector<std::string>>& texts, const std::vector<std::string>& paths);

/// Lines of a test set that have no reference, and the first line whose letters are composed otherwise than those of its references: "ä" is
/// one character in Unicode's form C, and two in form D. Scores compare bytes.
void warn_of_references(const std::vector<std::vector<std::string>>& systems,
                        const std::vector<std::vector<std::string>>& references);

/// Whether a file has the name `sentence`: then it was probably meant to be read.
bool is_name_of_file(const std::string& sentence);

/// The warnings that a part of the sentence at `where`, such as "line 7", or of its translation is missing.
std::vector<TranslationWarning> warnings_of_cuts(const std::string& where, const TranslatedText& best);

/// Warnings about many sentences: prints the first ones of each cause and counts the others.
class WarningList {
 public:
  static constexpr std::size_t most = 10;  ///< of each cause

  void add(const std::vector<TranslationWarning>& warnings);
  /// Prints how many more there were, and where they are.
  void end(const std::string& where = "; --json names them all");

 private:
  std::map<std::string, std::size_t> count_;  // by code
};

}  // namespace gradus
