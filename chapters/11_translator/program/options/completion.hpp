#pragma once
/// \file
/// Scripts that let a shell complete what is typed behind "gradus": commands, options, and the words that options take.

#include <string>
#include <vector>

#include "11_translator/program/options/command_tree.hpp"

namespace gradus {

/// A script for bash, zsh or fish; of another shell Error, one line.
std::string completion_script(const std::string& shell, const std::vector<CommandText>& tree);

/// What an option can be given: its list, or for --model the names of the bundled models. Empty: anything.
std::vector<std::string> suggested_words(const OptionText& option);

/// Whether the value of an option may be a file or a folder.
bool takes_path(const OptionText& option);

}  // namespace gradus
