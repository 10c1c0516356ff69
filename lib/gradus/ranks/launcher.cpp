#include "gradus/ranks/launcher.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

#include "gradus/util/process.hpp"

namespace gradus {
namespace {

/// The number in the first of these variables that is set; else `otherwise`.
std::size_t number_in(std::initializer_list<const char*> names, std::size_t otherwise) {
  for (const char* name : names) {
    if (const char* const value = std::getenv(name)) return std::strtoul(value, nullptr, 10);
  }
  return otherwise;
}

}  // namespace

/// Of Slurm, the number of tasks of the step is read (started by srun), not that of the job (SLURM_NTASKS): a batch script
/// has the second one, too, although it is one process.
Launch launch() {
  return {number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 1),
          number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0),
          number_in({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, 0),
          number_in({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, 1)};
}

std::size_t own_threads(const Launch& launch, std::size_t usable, std::size_t of_machine, std::size_t quota) {
  const std::size_t here = std::max<std::size_t>(1, launch.here);
  const bool shared = usable >= of_machine;
  return std::max<std::size_t>(1, std::min(shared ? usable / here : usable, quota / here));
}

std::size_t own_threads() {
  return own_threads(launch(), usable_processors(), std::thread::hardware_concurrency(), processor_quota());
}

std::string own_gpu(const std::string& visible, std::size_t local, std::size_t count) {
  std::vector<std::string> devices;
  std::istringstream list(visible);
  for (std::string one; std::getline(list, one, ',');) devices.push_back(one);
  if (devices.empty()) return std::to_string(count == 0 ? local : local % count);
  return devices[local % devices.size()];
}

/// CUDA reads the variable once, when it starts, so it cannot be asked for the count before.
void take_own_gpu(const Launch& launch, const std::string& gpus) {
  if (launch.ranks <= 1) return;
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible != nullptr && *visible == '\0') return;  // the user hides all GPUs
  std::error_code none;
  const std::filesystem::directory_iterator entries(gpus, none);
  const auto count = static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  setenv("CUDA_VISIBLE_DEVICES", own_gpu(visible == nullptr ? "" : visible, launch.local, count).c_str(), 1);
}

}  // namespace gradus
