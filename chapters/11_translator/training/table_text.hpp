#pragma once
/// \file
/// Text that was written as a table: a line of column names, and quotes round its cells. A training takes both as text.

#include <string>
#include <vector>

#include "gradus/io/lines.hpp"

namespace gradus {

/// Whether a cell is the name of a column of sentences, such as "source", "target_text", "en" or "German".
bool is_column_name(const std::string& cell);

/// Whether a cell is in quotes as CSV writes them: each quote inside is doubled (RFC 4180).
bool is_csv_quoted(const std::string& cell);

/// One line for each fault of these pairs: the first one names columns, or cells have quotes of CSV. `origin` says where they come from,
/// such as "a.tsv" or "a.en and a.de".
std::vector<std::string> faults_of_table(const LinePairs& lines, const std::string& origin);

}  // namespace gradus
