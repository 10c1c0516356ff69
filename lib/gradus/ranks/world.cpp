#include "gradus/ranks/world.hpp"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/ranks/launcher.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

/// UsageError for several processes that cannot be connected. Most often none can: then rank 0 reports it, and the
/// launcher ends the others while they wait here. A rank that fails alone reports it after that time.
[[noreturn]] void refuse_ranks(const std::string& why) {
  const Launch started = launch();
  const std::string text = std::to_string(started.ranks) + " processes were started together, but " + why;
  if (started.rank == 0) throw UsageError(text);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  throw UsageError("rank " + std::to_string(started.rank) + ": " + text);
}

/// The module with the calls of MPI, beside the program or where it was installed; "" if there is none.
std::string module_file() {
  const auto folder = std::filesystem::path(program_path()).parent_path();
  for (const char* const place : {GRADUS_MPI_MODULE, GRADUS_INSTALLED_MPI_MODULE}) {
    std::error_code none;
    if (*place != '\0' && std::filesystem::exists(folder / place, none)) return folder / place;
  }
  return "";
}

/// MPI is loaded only here, because loading it takes longer than the rest of a short command. Its plugins need its symbols,
/// so these are global.
std::unique_ptr<Ranks> connected() {
  const std::string file = module_file();
  if (file.empty())
    refuse_ranks(
        "this program was built without MPI; build it again where MPI is installed (Debian: libopenmpi-dev)");
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) refuse_ranks(std::string("MPI cannot be loaded: ") + dlerror());
  const auto make = reinterpret_cast<Ranks* (*)()>(dlsym(module, "gradus_mpi_ranks"));
  if (make == nullptr) refuse_ranks(file + " belongs to another version of this program");
  return std::unique_ptr<Ranks>(make());
}

std::string program_sha256() {
  std::ostringstream bytes;
  bytes << std::ifstream(program_path(), std::ios::binary).rdbuf();
  return sha256(bytes.str());
}

std::unique_ptr<Ranks>& others() {
  static std::unique_ptr<Ranks> ranks;
  return ranks;
}

}  // namespace

Ranks& world() {
  const Launch started = launch();
  if (started.ranks <= 1) return alone();
  if (others() == nullptr) {
    take_own_gpu(started);
    others() = connected();
    const std::size_t connected_ranks = others()->size();
    if (connected_ranks != started.ranks) {
      others().reset();
      refuse_ranks("MPI connects " + std::to_string(connected_ranks) +
                   "; start the program with the mpirun or srun of the MPI that it was built with");
    }
  }
  return *others();
}

Ranks* connected_world() { return others().get(); }

void leave_world() { others().reset(); }

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
