#pragma once
/// \file
/// Scripts with which a shell completes the words after "gradus": commands, options, and values of options.

#include <string>
#include <vector>

#include "app/options/command_tree.hpp"

namespace gradus {

/// A script for bash, zsh or fish; throws Error, one line, for another shell.
std::string completion_script(const std::string& shell, const std::vector<CommandText>& tree);

/// The words that an option accepts: its list, or for --model the names of the known models. Empty: anything.
std::vector<std::string> suggested_words(const OptionText& option);

/// Whether the value of an option may be a file or a folder.
bool takes_path(const OptionText& option);

}  // namespace gradus
