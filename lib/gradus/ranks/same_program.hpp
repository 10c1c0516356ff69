#pragma once
/// \file
/// Whether all ranks compute the same bits.

#include <string>

#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Ends all ranks (UsageError) if they run different builds of this program. Returns a warning if their processors differ, so
/// that BLAS adds in different orders; "" if they do not.
std::string require_same_program(Ranks& ranks);

}  // namespace gradus
