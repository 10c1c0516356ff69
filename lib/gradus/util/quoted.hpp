#pragma once
/// \file
/// Text from outside in our messages and on a terminal.

#include <string>

namespace gradus {

/// `text` for a message of one line: in quotes, control characters spelt out, cut if it is long.
std::string quoted(const std::string& text);

/// `text` with its control characters, and those that turn the direction of writing round, spelt out as in JSON, so that a terminal
/// shows them and does not obey them. A byte that is not UTF-8 becomes \\xff, with its own digits.
std::string printable(const std::string& text);

/// `word` as one word of a shell's command: in quotes if it needs them.
std::string shell_word(const std::string& word);

}  // namespace gradus
