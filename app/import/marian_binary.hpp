#pragma once
/// \file
/// Marian's own binary file of weights, as its models for small machines have it (model.*.bin).

#include <string>
#include <string_view>

#include "app/import/marian_file.hpp"

namespace gradus {

/// Reads such a file, which need not be trusted; `origin` names it in messages. All numbers are little-endian.
///
///     u64 1, u64 n                            the version, the number of tensors
///     n times four u64                        lengths: name, type, shape, data
///     n names, each with a NUL behind it      their bytes
///     n shapes                                i32 each
///     u64 k, k bytes                          so that the data begins at a multiple of 256
///     n times the data                        each as long as its header says
///
/// Throws Error if the bytes are no such file, are cut or longer than they say, if a name is empty, has a NUL or comes twice, a type is
/// none of MarianFile::Type, a size is not positive, or data is shorter than its shape.
MarianFile parse_marian_binary(std::string_view bytes, const std::string& origin);

}  // namespace gradus
