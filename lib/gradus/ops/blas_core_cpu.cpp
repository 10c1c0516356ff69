#include "gradus/ops/blas_core.hpp"

#include <unistd.h>

#include <cstdlib>

extern "C" char* openblas_get_corename(void);  // cblas.h stays in gemm_cpu.cpp

namespace gradus {

std::string blas_core() { return openblas_get_corename(); }

std::string better_blas_core() {
  const std::string core = blas_core();
  for (const char* old : {"Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Northwood", "Katmai"}) {
    if (core != old) continue;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
      return "SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
  }
  return "";
}

void prefer_better_blas_core(char** argv) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) return;  // the user's choice, or ours: we were here before
  const std::string core = better_blas_core();
  if (core.empty()) return;
  setenv("OPENBLAS_CORETYPE", core.c_str(), 0);
  execv("/proc/self/exe", argv);
  unsetenv("OPENBLAS_CORETYPE");
}

}  // namespace gradus
