#pragma once
/// \file
/// Marian's weights as numpy's archive of arrays (.npz), as Marian writes them while it trains.

#include <string>

#include "app/import/marian_file.hpp"

namespace gradus {

/// Reads the zip archive at `path`, which need not be trusted: a file NAME.npy for each tensor, stored or deflated. Throws Error, one line
/// with the file and the tensor, if it is no such archive, is damaged (archive.hpp), or has more than two billion bytes unpacked, and as
/// add_npy does.
MarianFile load_marian_npz(const std::string& path);

/// Adds the array of one such file.
///
/// requires  a name that ends in .npy; a header that parse_npy_header reads; floats of two, four or eight bytes, little-endian, or bytes,
///           which are text; no less data than the shape says. Else Error.
/// ensures   a vector of n numbers is a tensor (1, n), as Marian has it.
void add_npy(MarianFile& file, const std::string& member, std::string bytes);

}  // namespace gradus
