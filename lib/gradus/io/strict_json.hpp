#pragma once
/// \file
/// Checks JSON that comes from outside, before a parser reads it. Parsers accept a key that comes twice, so two programs could
/// read different things in the same bytes; and code that walks through nested values recursively can run out of stack.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// Throws Error unless `text` is one JSON value (RFC 8259, UTF-8) that is nested at most `deepest` times and in which no
/// object has a key twice; then nlohmann::json::parse accepts it. The message says what is wrong and at which byte, counted from 1.
/// An object or a list of plain values has depth 1. Time and memory grow with the length of the text only.
void check_json(std::string_view text, std::size_t deepest);

}  // namespace gradus
