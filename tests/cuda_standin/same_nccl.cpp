// As same_api.cpp, for NCCL.

#include <nccl.h>

#include <cstddef>

namespace {

template <class... A>
using Nccl = ncclResult_t (*)(A...);

[[maybe_unused]] constexpr bool the_same(...) { return true; }
[[maybe_unused]] const bool functions = the_same(
    Nccl<ncclUniqueId*>(ncclGetUniqueId), Nccl<ncclComm_t*, int, ncclUniqueId, int>(ncclCommInitRank),
    Nccl<ncclComm_t>(ncclCommDestroy), Nccl<ncclComm_t>(ncclCommAbort), Nccl<>(ncclGroupStart),
    Nccl<>(ncclGroupEnd), Nccl<const void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t>(ncclSend),
    Nccl<void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t>(ncclRecv));

static_assert(sizeof(ncclUniqueId) == 128 && sizeof ncclUniqueId::internal == 128 && ncclChar == 0);
static_assert(ncclSuccess == 0 && ncclUnhandledCudaError == 1 && ncclSystemError == 2 && ncclInvalidArgument == 4 &&
              ncclInvalidUsage == 5);

}  // namespace
