#pragma once
/// \file
/// The manual page of the program.

#include <string>
#include <vector>

#include "app/options/command_tree.hpp"

namespace gradus {

/// gradus(1) in roff, the language of `man`: all commands and options.
std::string manual_page(const std::vector<CommandText>& tree);

}  // namespace gradus
