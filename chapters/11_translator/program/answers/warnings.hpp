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

/// Whether a file has the name `sentence`: then it was probably meant to be read.
bool is_name_of_file(const std::string& sentence);

/// Warns that the sentence at `where`, such as "line 7", was cut.
void warn_of_cut(const std::string& where);

/// Warnings about many sentences: prints the first ones of each cause and counts the others.
class WarningList {
 public:
  static constexpr std::size_t most = 10;  ///< of each cause

  void add(const std::vector<TranslationWarning>& warnings);
  void end();  ///< prints how many more there were

 private:
  std::map<std::string, std::size_t> count_;  // by code
};

}  // namespace gradus
