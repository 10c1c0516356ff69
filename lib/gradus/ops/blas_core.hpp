#pragma once
/// \file
/// Which kernels the BLAS library runs. Old OpenBLAS releases do not know new Intel CPUs and fall back to SSE3, at a
/// fifth of the speed; the choice is made when the library is loaded, so mending it takes a fresh start.

#include <string>

namespace gradus {

/// The name of the running kernels as OpenBLAS gives it: "SkylakeX", "Haswell", "Zen", "Prescott" ...
std::string blas_core();

/// The core that this CPU could run if the running one is far older than it; "" if all is well.
std::string better_blas_core();

/// Starts the program again with a better core, if there is one and the user has not chosen one (OPENBLAS_CORETYPE).
/// Returns if there is nothing to do, or if starting again fails: slow is better than not at all.
void prefer_better_blas_core(char** argv);

}  // namespace gradus
