#pragma once
/// \file
/// The ranks of this program: the process alone, or all that mpirun has started.

#include <string>

#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Alone, unless a launcher has started several processes. Then the first call connects them by MPI; throws UsageError,
/// one line that says what is missing, if the program cannot do that. It must not be called while threads run.
Ranks& world();

/// The connected ranks; null without others, and before the first call of `world`.
Ranks* connected_world();

/// Waits for the other ranks and leaves them. Call it at the end of the program, if it ends as planned.
void leave_world();

/// Ends all ranks (UsageError) if they run different builds of this program. Returns a warning if their processors differ, so
/// that BLAS adds in different orders; "" if they do not.
std::string require_same_program(Ranks& ranks);

}  // namespace gradus
