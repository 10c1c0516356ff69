#pragma once
/// \file
/// Files of an index of Python packages, such as PyPI: https://peps.python.org/pep-0503.

#include <string>

#include "gradus/net/download.hpp"

namespace gradus {

/// Looks for `file` on the page INDEX/PACKAGE/ and returns the address that the page links, without a query; "" if `progress`
/// stopped it. `advice` is added to the messages. Throws Error, one line with the page's address, if it cannot be read or has no
/// such link by http or https (of an index that is a file: by file).
std::string package_address(const std::string& index, const std::string& package, const std::string& file,
                            const DownloadProgress& progress, const std::string& advice = "");

}  // namespace gradus
