#pragma once
/// \file
/// The SHA-256 digest of a file of any size.

#include <string>

namespace gradus {

/// computes  the SHA-256 digest of the bytes of a file, as 64 hexadecimal digits. It reads a small piece at a time.
///           Throws Error, with the path and the reason, if the file cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace gradus
