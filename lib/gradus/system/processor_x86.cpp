#include "gradus/ops/blas/blas_core.hpp"

namespace gradus {

std::string better_blas_core(const std::string& running) {
  for (const char* old : {"Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Northwood", "Katmai"}) {
    if (running != old) continue;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
      return "SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
  }
  return "";
}

}  // namespace gradus
