#pragma once
/// \file
/// The file that carries cases to a machine with a GPU: named lists of numbers. The program that reads it links no
/// library except CUDA's, so the file has its own format:
///
///     "gradus cases 1\n", then for each list: length of its name, name, count (64-bit, little-endian), count doubles

#include <string>

#include "support/component.hpp"

namespace gradus::test {

using CaseFile = Named;

void write_cases(const std::string& path, const CaseFile& lists);

/// Throws Error, one line, for a file that is missing, cut short or in another format.
CaseFile read_cases(const std::string& path);

/// The lists of one case begin with its name: its inputs, and the results of the reference.
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
