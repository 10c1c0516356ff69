#pragma once
/// \file
/// Files packed with gzip, as corpora are handed around. Apart from gradus/io because it needs zlib.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// What `packed`, one gzip file, unpacks to; several packed files in a row give their contents in a row. Throws
/// Error, with `origin`, where it is damaged or cut short, or where the result would be longer than `limit`.
std::string gunzip(std::string_view packed, const std::string& origin, std::size_t limit);

/// The same of a text, with a limit: a small file can unpack to a thousand times its size; text does not, so that beyond
/// 64 MB more than a hundred times is an Error.
std::string gunzip_text(std::string_view packed, const std::string& origin);

/// The bytes of a file, unpacked if it is a gzip file, whatever its name, as a text. A FileReader for read_lines and
/// read_pairs.
std::string read_packed_file(const std::string& path);

}  // namespace gradus
