#pragma once
/// \file
/// Which kernels OpenBLAS runs. Old releases do not know new Intel CPUs and use SSE3, at a fifth of the speed.
/// OpenBLAS chooses when it is loaded, so a better choice needs a new start of the program.

#include <string>

namespace gradus {

/// OpenBLAS's name for the kernels that it runs: "SkylakeX", "Haswell", "Zen", "Prescott" ...
std::string blas_core();

/// The best core for this CPU if `running` is far older; else "".
std::string better_blas_core(const std::string& running = blas_core());

/// Starts the program again with a better core, if there is one and the user has not chosen one
/// (OPENBLAS_CORETYPE). Returns if that is not needed or fails: the program then runs slowly.
void prefer_better_blas_core(char** argv);

}  // namespace gradus
