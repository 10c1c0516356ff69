#pragma once
/// \file
/// Multi30k, the data set of the bundled models.

#include <string>
#include <vector>

#include "11_translator/data/data_set.hpp"

namespace gradus {

/// The languages into which it translates English: de, fr, cs.
std::vector<std::string> multi30k_languages();

/// Its task 1, English and one of these languages, in original spelling: 29,000 training pairs, 1,014 validation pairs,
/// 1,000 test pairs. German: Elliott, Frank, Sima'an, Specia (2016); French: Elliott, Frank, Barrault, Bougares, Specia
/// (2017); Czech: Barrault and others (2018). Throws Error for another language.
DataSet multi30k(const std::string& language = "de");

/// What to say when `folder` holds it: its terms, whom to cite, the command that trains on it. Three lines.
std::string about_multi30k(const std::string& language, const std::string& folder);

}  // namespace gradus
