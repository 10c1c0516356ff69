#pragma once
/// \file
/// Files of an index of Python packages, such as PyPI: https://peps.python.org/pep-0503.

#include <string>

namespace gradus {

/// Looks for `file` on the page INDEX/PACKAGE/ and returns the address that the page links. `advice` is added to the messages.
/// Throws Error, one line with the page's address, if it cannot be read or has no such link.
std::string package_address(const std::string& index, const std::string& package, const std::string& file,
                            const std::string& advice = "");

}  // namespace gradus
