#pragma once
/// \file
/// Options in a file: lines `name = value`. The names are those of the command line without dashes. A line that
/// begins with # is a comment; no other line has one. One pair of quotes around a value is removed, so that a value can begin or end with
/// a space, or hold a #. Options on the command line override those of the file.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace gradus {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The settings of such a text. Throws UsageError, with `origin` and the line, if a line has another form.
Settings parse_settings(std::string_view text, const std::string& origin);

/// Sets the command's options that are not set yet. Throws UsageError, with `origin`, for a name or a value that
/// the command does not accept.
void apply(CLI::App& command, const Settings& settings, const std::string& origin);

/// All options that have a value, given or default, in groups, except those in `without`. Throws UsageError for a
/// value that such a file cannot store.
std::string settings_text(const CLI::App& command, const std::vector<std::string>& without);

/// The given options, as words of a command line, except those in `without`.
std::vector<std::string> given_words(const CLI::App& command, const std::vector<std::string>& without);

}  // namespace gradus
