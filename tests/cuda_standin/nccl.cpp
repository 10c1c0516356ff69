#include <nccl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cuda_standin/device.hpp"
#include "cuda_standin/pipes.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/util/error.hpp"

// NOLINTBEGIN(readability-identifier-naming): these are NCCL's names.
struct ncclComm {
  std::shared_ptr<gradus::standin::Pipes> pipes;  // work that has not run keeps it
  int rank, size;
};
// NOLINTEND(readability-identifier-naming)

namespace gradus::standin {
namespace {

/// The sends and receives of a group, which run together.
struct Group {
  int depth = 0;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
};
thread_local Group group;
thread_local std::string last_error;

struct NcclRefused {
  ncclResult_t result;
  std::string why;
};

template <class F>
ncclResult_t answer_nccl(F&& f) {
  ncclResult_t found = ncclSuccess;
  const auto refuse = [&](ncclResult_t result, const std::string& why) { found = result, last_error = why; };
  const cudaError_t result = answer([&] {
    try {
      f();
    } catch (const NcclRefused& refused) {
      refuse(refused.result, refused.why);
    } catch (const Error& error) {
      refuse(ncclSystemError, error.what());
    }
  });
  if (result != cudaSuccess) refuse(ncclUnhandledCudaError, cudaGetErrorString(result));
  return found;
}

/// Device memory becomes messages, and messages device memory.
void carry(Pipes& pipes, const std::vector<Outgoing>& out, const std::vector<Incoming>& in) {
  for (const Outgoing& o : out) check_on_device("ncclSend", o.data, o.bytes);
  for (const Incoming& i : in) check_on_device("ncclRecv", i.data, i.bytes);
  const gpu::host::DeviceAccess access;
  try {
    pipes.exchange(out, in);
  } catch (const Error& error) {
    throw Fault{cudaErrorLaunchFailure, error.what()};
  }
}

void add_group() {
  const Group g = std::exchange(group, {});
  if (g.comm == nullptr) return;  // an empty group
  std::vector<Access> accesses;
  for (const Outgoing& o : g.out) accesses.push_back({"a message", o.data, o.bytes, false});
  for (const Incoming& i : g.in) accesses.push_back({"a message", i.data, i.bytes, true});
  const auto pipes = g.comm->pipes;
  add_task(g.stream, {"NCCL", [pipes, g] { carry(*pipes, g.out, g.in); }, accesses});
}

void check(ncclComm_t comm, int peer, cudaStream_t stream) {
  if (comm == nullptr || peer < 0 || peer >= comm->size || peer == comm->rank)
    throw NcclRefused{ncclInvalidArgument, "a communicator or a rank that is not there"};
  stream_of(stream);
  if (group.comm != nullptr && (group.comm != comm || group.stream != stream))
    throw NcclRefused{ncclInvalidUsage, "the stand-in's groups have one communicator and one stream"};
  group.comm = comm, group.stream = stream;
}

ncclResult_t destroy(ncclComm_t comm, bool waits) {
  return answer_nccl([&] {
    if (comm == nullptr) throw NcclRefused{ncclInvalidArgument, "there is no communicator"};
    if (waits) run_all();
    delete comm;
  });
}

}  // namespace
}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are NCCL's names.
using namespace gradus;
using namespace gradus::standin;

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
  }
  return "an error of NCCL";
}
const char* ncclGetLastError(ncclComm_t) { return last_error.c_str(); }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  return answer_nccl([&] {
    *id = {};
    const std::string folder = new_folder();
    require(folder.size() < sizeof id->internal, "the name of the temporary folder is too long");
    std::copy(folder.begin(), folder.end(), id->internal);
  });
}

/// NCCL: it returns when all ranks have called it.
ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return answer_nccl([&] {
    refuse_if_unsafe("ncclCommInitRank");
    if (rank < 0 || rank >= ranks || id.internal[0] != '/')
      throw NcclRefused{ncclInvalidArgument, "an id or a rank"};
    auto made = std::make_unique<ncclComm>();
    made->rank = rank, made->size = ranks;
    made->pipes = std::make_shared<Pipes>(id.internal, rank, ranks);
    const char sent = 1;
    std::vector<char> got(static_cast<std::size_t>(ranks));
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    for (std::size_t r = 0; r < got.size(); ++r) {
      if (r != static_cast<std::size_t>(rank)) out.push_back({r, &sent, 1}), in.push_back({r, &got[r], 1});
    }
    made->pipes->exchange(out, in);
    *comm = made.release();
  });
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) { return destroy(comm, true); }
ncclResult_t ncclCommAbort(ncclComm_t comm) { return destroy(comm, false); }

ncclResult_t ncclGroupStart() {
  ++group.depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  return answer_nccl([] {
    if (group.depth == 0) throw NcclRefused{ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart"};
    if (--group.depth == 0) add_group();
  });
}

/// Outside of a group a message is a group of its own.
ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return answer_nccl([&] {
    check(comm, peer, stream);
    group.out.push_back({static_cast<std::size_t>(peer), from, count});
    if (group.depth == 0) add_group();
  });
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t, int peer, ncclComm_t comm, cudaStream_t stream) {
  return answer_nccl([&] {
    check(comm, peer, stream);
    group.in.push_back({static_cast<std::size_t>(peer), to, count});
    if (group.depth == 0) add_group();
  });
}
// NOLINTEND(readability-identifier-naming)
