#pragma once
/// \file
/// The link between the GPUs of ranks, where NVIDIA's library for it, NCCL, was found when the program was built.

#include <memory>
#include <type_traits>

#include "gradus/memory/workspace.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// All ranks call it together. Null on all of them if the program was built without NCCL, if two ranks share a GPU, which NCCL
/// does not allow, and for a rank alone. Throws Error if NCCL cannot connect the GPUs.
std::unique_ptr<GpuLink> nccl_link(Ranks& ranks);

/// The ranks have a link between their GPUs, if one can be made, as long as this lives. Does nothing for a processor.
template <class Dev>
class LinkedGpus {
 public:
  explicit LinkedGpus(Ranks& ranks) : ranks_(ranks) {
    if constexpr (!std::is_same_v<typename Dev::Space, Host>) link_ = nccl_link(ranks);
    ranks.set_gpu_link(link_.get());
  }
  ~LinkedGpus() { ranks_.set_gpu_link(nullptr); }
  LinkedGpus(const LinkedGpus&) = delete;
  LinkedGpus& operator=(const LinkedGpus&) = delete;

 private:
  Ranks& ranks_;
  std::unique_ptr<GpuLink> link_;
};

}  // namespace gradus
