#include "gradus/ranks/same_program.hpp"

#include <fstream>
#include <iterator>

#include "gradus/ops/blas_core.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

std::string program_sha256() {
  std::ifstream file(program_path(), std::ios::binary);
  return sha256(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace

std::string require_same_program(Ranks& ranks) {
  if (ranks.size() == 1) return "";
  if (const auto other = difference(ranks, program_sha256())) {
    fail_together(ranks,
                  "rank " + std::to_string(other->rank) +
                      " runs another build of this program than rank 0; all machines need the same file",
                  2);
  }
  const auto other = difference(ranks, blas_core());
  if (!other) return "";
  return "rank " + std::to_string(other->rank) + " has another kind of processor than rank 0 (BLAS kernels " +
         other->other + ", not " + other->first + "): the last bits will differ from those of one process";
}

}  // namespace gradus
