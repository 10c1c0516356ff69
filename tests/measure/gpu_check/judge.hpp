#pragma once
/// \file
/// Compares every case of every kernel, in double and in float, with the numbers of a case file; also recorded
/// steps.

#include <iosfwd>
#include <string>

#include "measure/gpu_check/parts.hpp"

namespace gradus::test {

/// Prints each component's largest differences to `log`, and says whether all are within their bounds. With a path,
/// it writes them there as the result's section of that name, after each case; until the last one the section has a row
/// "not finished", which has not passed. A case that fails is named, and the others go on.
Outcome judge_kernels(const std::string& case_file, const std::string& result, const std::string& section_name,
                      const PartOptions& options, std::ostream& log);

}  // namespace gradus::test
