#pragma once
/// \file
/// A list of pieces in YAML, as Marian writes it (vocab.yml).

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Reads such a list, which need not be trusted, and returns the pieces in the order of their ids:
///
///     piece: id           or "piece" in double quotes, with \" \\ \xHH \uHHHH \UHHHHHHHH in it, or 'piece' with '' for a quote
///
/// Empty lines count nothing. Throws Error, with `name` and the number of the line, for a line of another form; and with the piece, unless the
/// ids are 0 to n - 1, each once, and the first two pieces are </s> and <unk>.
std::vector<std::string> parse_vocabulary_yaml(std::string_view text, const std::string& name);

}  // namespace gradus
