#pragma once
/// \file
/// Files packed with gzip, the usual form of corpora. It is separate from gradus/io because it needs zlib.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// Unpacks `packed`, one gzip file; several gzip files in a row give their contents in a row. Throws Error, with
/// `origin`, if it is damaged or cut short, or if the result would be longer than `limit`.
std::string gunzip(std::string_view packed, const std::string& origin, std::size_t limit);

/// The same for a text, with a limit: a gzip file can unpack to a thousand times its size, but text does not. So a
/// result above 64 MB that is more than a hundred times as large as the file is an Error.
std::string gunzip_text(std::string_view packed, const std::string& origin);

/// Reads the bytes of a text file and unpacks them if they are a gzip file, whatever its name. A FileReader for
/// read_lines and read_pairs.
std::string read_packed_file(const std::string& path);

}  // namespace gradus
