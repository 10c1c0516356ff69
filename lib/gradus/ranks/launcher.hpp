#pragma once
/// \file
/// What a launcher (mpirun, srun) tells the processes that it starts, in their environment.

#include <cstddef>
#include <limits>
#include <string>

namespace gradus {

struct Launch {
  std::size_t ranks = 1;  ///< how many processes were started together
  std::size_t rank = 0;   ///< the number of this one
  std::size_t local = 0;  ///< the number of this one among those of its machine
  std::size_t here = 1;   ///< how many are on its machine; 1 if the launcher does not say it
};

/// 1 rank if no launcher started this process. The variables of Open MPI, MPICH (and of MPI libraries made from it) and Slurm
/// are read.
Launch launch();

/// The threads that a process takes if nobody says how many: one for each processor that it may use. Processes that share
/// a machine's processors because the launcher ties none of them take equal parts. `quota` is that of processor_quota(); the
/// processes of a machine share it.
std::size_t own_threads(const Launch& launch, std::size_t usable, std::size_t of_machine,
                        std::size_t quota = std::numeric_limits<std::size_t>::max());
std::size_t own_threads();

/// Gives this process one of the machine's GPUs, in turn: CUDA then shows it no other one. If there are more processes than GPUs, some
/// share one. Does nothing for a process without others, and if CUDA_VISIBLE_DEVICES is empty: then all GPUs are hidden. Call it
/// before the first use of a GPU. NVIDIA's driver has an entry for each GPU in the folder `gpus`.
void take_own_gpu(const Launch& launch, const std::string& gpus = "/proc/driver/nvidia/gpus");

/// The value of CUDA_VISIBLE_DEVICES for the process with this local number: one of the devices of `visible`; if that is empty, one of
/// the machine's `count` GPUs, or its own number if their count is not known (0).
std::string own_gpu(const std::string& visible, std::size_t local, std::size_t count);

}  // namespace gradus
