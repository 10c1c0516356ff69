#pragma once
/// \file
/// The part of YAML that Marian writes into its models: lines `key: value`, and lists of words.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// The value of a key: a word, "" among them, or a list of words.
struct FlatValue {
  bool is_list = false;
  std::vector<std::string> words;  ///< one, unless it is a list

  bool operator==(const FlatValue& other) const { return is_list == other.is_list && words == other.words; }
};

/// Reads such a text, which need not be trusted:
///
///     key: word           or "word" in double quotes
///     key: []
///     key:
///       []
///     key:
///       - word            any number of such lines
///
/// Throws Error, with `name` and the number of the line, for a line of another form and for a key that comes twice.
std::map<std::string, FlatValue> parse_flat_yaml(std::string_view text, const std::string& name);

/// The value as the file would have it, for messages.
std::string shown(const FlatValue& value);

}  // namespace gradus
