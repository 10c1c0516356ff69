#include "gradus/ops/blas/blas_core.hpp"

namespace gradus {

// no release of OpenBLAS is known to choose such slow kernels for another processor
std::string better_blas_core(const std::string&) { return ""; }

}  // namespace gradus
