#pragma once
/// \file
/// Options in a file: lines `name = value`, the names being those of the command line without their dashes; a line that
/// begins with # is a remark. A pair of quotes around a value is taken off, so that the value may begin or end with a
/// space. What stands on the command line wins.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace gradus {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The settings of such a text. Throws UsageError, with `origin` and the line, where it is none.
Settings parse_settings(std::string_view text, const std::string& origin);

/// Gives the command's options that nobody has given yet their values. Throws UsageError for a name or a value that
/// the command does not know; `origin` is for messages.
void apply(CLI::App& command, const Settings& settings, const std::string& origin);

/// All options that have a value, given or by default, group by group; but not those in `without`. Throws UsageError for a
/// value that such a file cannot hold.
std::string settings_text(const CLI::App& command, const std::vector<std::string>& without);

/// The options that were given, as words of a command line; but not those in `without`.
std::vector<std::string> given_words(const CLI::App& command, const std::vector<std::string>& without);

}  // namespace gradus
