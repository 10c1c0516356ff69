#pragma once
/// \file
/// What a person should know about a translation before trusting it.

#include <string>

namespace gradus {

/// Warns that the sentence at `where`, such as "line 7", was cut, or that the model is unsure of it.
void warn_about(const std::string& where, bool cut, bool unusual);

}  // namespace gradus
