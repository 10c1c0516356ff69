#include "gradus/ops/blas_core.hpp"

namespace gradus {

std::string better_blas_core() {
  return "";
}  // no release of OpenBLAS is known to choose such slow kernels for another processor

}  // namespace gradus
