#pragma once
/// \file
/// On what a program runs, for people.

#include <string>

namespace gradus {

/// The name that the processor gives itself, "AMD EPYC 7763 64-Core Processor"; where it gives none, its architecture.
std::string processor_name();

}  // namespace gradus
