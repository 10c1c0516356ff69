#pragma once
/// \file
/// How the help is laid out.

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace gradus {

/// Help in two columns that fit the terminal, 80 characters where there is none and 100 at most, with every default in
/// brackets behind what it is the default of. In a narrow terminal the texts stand below the names.
std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace gradus
