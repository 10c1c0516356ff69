#pragma once
/// \file
/// The file that carries cases to a machine with a GPU: named lists of numbers. It is read by a program that has no
/// library but CUDA's, hence a format of its own:
///
///     "gradus cases 1\n", then for each list: length of its name, name, count (64-bit, little-endian), count doubles

#include <string>

#include "support/component.hpp"

namespace gradus::test {

using CaseFile = Named;

void write_cases(const std::string& path, const CaseFile& lists);

/// Error, one line, for a file that is missing, cut or something else.
CaseFile read_cases(const std::string& path);

/// The lists of one case begin with its name: what goes in, and what the reference made of it.
inline std::string value_name(const std::string& the_case, const std::string& tensor) {
  return the_case + "/value/" + tensor;
}
inline std::string output_name(const std::string& the_case, const std::string& tensor) {
  return the_case + "/output/" + tensor;
}
inline std::string gradient_name(const std::string& the_case, const std::string& tensor) {
  return the_case + "/gradient/" + tensor;
}

}  // namespace gradus::test
