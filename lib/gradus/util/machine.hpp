#pragma once
/// \file
/// The name of the processor, for reports.

#include <string>

namespace gradus {

/// The name that the processor reports, such as "AMD EPYC 7763 64-Core Processor"; if it reports none, its
/// architecture.
std::string processor_name();

}  // namespace gradus
