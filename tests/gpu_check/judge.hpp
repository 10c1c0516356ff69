#pragma once
/// \file
/// Every case of every kernel, in double and in float, against the numbers of a case file; and steps that are recorded.

#include <iosfwd>
#include <string>

namespace gradus::test {

/// Prints each component's largest differences to `log`; whether all are within their bounds. With a path, they are
/// written there as the result's section of that name.
bool judge_kernels(const std::string& case_file, const std::string& result, const std::string& section_name,
                   std::ostream& log);

}  // namespace gradus::test
