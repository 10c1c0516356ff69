#include "gradus/ops/blas/blas_core.hpp"

#include <unistd.h>

#include <cstdlib>

#include "gradus/util/process.hpp"

extern "C" char* openblas_get_corename(void);  // cblas.h is included in gemm_cpu.cpp only

namespace gradus {

std::string blas_core() { return openblas_get_corename(); }

void prefer_better_blas_core(char** argv) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) return;  // set by the user, or by our earlier start
  const std::string core = better_blas_core();
  if (core.empty()) return;
  setenv("OPENBLAS_CORETYPE", core.c_str(), 0);
  execv(program_path().c_str(), argv);
  unsetenv("OPENBLAS_CORETYPE");
}

}  // namespace gradus
