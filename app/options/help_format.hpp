#pragma once
/// \file
/// The layout of the help.

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace gradus {

/// Help in two columns that fit the terminal: at most 100 characters wide, 80 without a terminal. Each option's
/// default follows its description, in brackets. In a narrow terminal the descriptions stand below the names.
std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace gradus
