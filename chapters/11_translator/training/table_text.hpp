#pragma once
/// \file
/// Text that was written as a table: a line of column names, quotes round its cells, a column of numbers. A training takes all as text.

#include <string>

#include "gradus/io/lines.hpp"

namespace gradus {

/// Whether a cell is the name of a column of sentences, such as "source", "target_text", "en" or "German".
bool is_column_name(const std::string& cell);

/// Whether a cell is in quotes as CSV writes them: each quote inside is doubled (RFC 4180).
bool is_csv_quoted(const std::string& cell);

/// What to say if the first pair names columns, or "". `origin` says where the pairs come from, such as "a.tsv" or "a.en and a.de".
std::string fault_of_names(const LinePairs& lines, const std::string& origin);

/// What to say if one cell has doubled quotes of CSV, or most cells stand in quotes, or "".
std::string fault_of_quotes(const LinePairs& lines, const std::string& origin);

/// What to say if most lines of a side that are not empty have no letter, or "": a column of numbers was taken. `part` is such as
/// "training".
std::string fault_of_numbers(const LinePairs& lines, const std::string& part);

}  // namespace gradus
