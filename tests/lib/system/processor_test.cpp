#include "gradus/ops/blas/blas_core.hpp"
#include "support/catch.hpp"

using namespace gradus;

TEST_CASE("OpenBLAS's core: only an old one is replaced, always by the same") {
  for (const std::string core : {"SkylakeX", "Cooperlake", "Haswell", "Zen", "NEOVERSEN1", ""}) {
    INFO(core);
    CHECK(better_blas_core(core).empty());
  }
  const std::string better = better_blas_core("Prescott");  // of this processor
  CHECK((better.empty() || better == "Haswell" || better == "SkylakeX"));
  for (const std::string old : {"Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Northwood", "Katmai"}) {
    INFO(old);
    CHECK(better_blas_core(old) == better);
  }
}
