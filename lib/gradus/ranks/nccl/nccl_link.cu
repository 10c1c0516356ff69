// The one file that calls NCCL.

#include <nccl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/gpu/language.hpp"
#include "gradus/ranks/gpu_link.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

void check(ncclResult_t result) {
  if (result == ncclSuccess) return;
  fail(std::string("NCCL, between the GPUs of the ranks: ") + ncclGetErrorString(result) + " (" +
       ncclGetLastError(nullptr) + ")");
}

class NcclLink final : public GpuLink {
 public:
  NcclLink(const Ranks& ranks, const ncclUniqueId& id) {
    check(ncclCommInitRank(&link_, static_cast<int>(ranks.size()), id, static_cast<int>(ranks.rank())));
  }
  /// ncclCommDestroy would wait for work that is not finished. When a training ends as planned there is none; after an error
  /// of another rank there may be.
  ~NcclLink() override { ncclCommAbort(link_); }
  NcclLink(const NcclLink&) = delete;
  NcclLink& operator=(const NcclLink&) = delete;

  /// Plain sends and receives: the order of additions is ours. As a group they run together, so no two ranks wait for
  /// each other.
  void exchange(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) override {
    check(ncclGroupStart());
    for (const Outgoing& o : out)
      check(ncclSend(o.data, o.bytes, ncclChar, static_cast<int>(o.to), link_, gpu::stream()));
    for (const Incoming& i : in)
      check(ncclRecv(i.data, i.bytes, ncclChar, static_cast<int>(i.from), link_, gpu::stream()));
    check(ncclGroupEnd());
  }

 private:
  ncclComm_t link_ = nullptr;
};

/// A name of this rank's GPU that no other GPU has, on any machine.
std::string name_of_gpu() {
  int device = 0;
  cudaDeviceProp properties{};
  gpu::check(cudaGetDevice(&device), "the GPU");
  gpu::check(cudaGetDeviceProperties(&properties, device), "the GPU");
  return std::string(properties.uuid.bytes, sizeof properties.uuid.bytes);
}

bool each_has_its_own(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace

std::unique_ptr<GpuLink> nccl_link(Ranks& ranks) {
  if (ranks.size() == 1 || !each_has_its_own(all_gather(ranks, name_of_gpu()))) return nullptr;
  ncclUniqueId id{};
  if (is_first(ranks)) check(ncclGetUniqueId(&id));
  const std::string common = broadcast(ranks, std::string(id.internal, sizeof id.internal));
  std::copy(common.begin(), common.end(), id.internal);
  return std::make_unique<NcclLink>(ranks, id);
}

}  // namespace gradus
