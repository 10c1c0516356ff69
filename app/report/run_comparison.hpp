#pragma once
/// \file
/// Two runs side by side, on one HTML page.

#include <string>

#include "app/report/run_report.hpp"

namespace gradus {

/// The page: scores and facts, the differences of the recipes, curves over the same axes, the last translations of
/// the same sentences. It says which numbers cannot be compared.
std::string run_comparison(const StoredRun& a, const StoredRun& b);

}  // namespace gradus
