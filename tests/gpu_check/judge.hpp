#pragma once
/// \file
/// Compares every case of every kernel, in double and in float, with the numbers of a case file; also recorded
/// steps.

#include <iosfwd>
#include <string>

namespace gradus::test {

/// Prints each component's largest differences to `log`; returns whether all are within their bounds. With a path,
/// it writes them there as the result's section of that name.
bool judge_kernels(const std::string& case_file, const std::string& result, const std::string& section_name,
                   std::ostream& log);

}  // namespace gradus::test
