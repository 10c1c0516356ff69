#pragma once
/// \file
/// The one header with the language of kernels that a .cu file includes. Under nvcc it is CUDA itself. Under any
/// other compiler it is the host layer, which runs the same kernels on this machine's processor. Kernels and
/// launches use CUDA's names (threadIdx, __syncthreads, __shfl_xor_sync, ...) and eleven names of our own:
///
///     gpu::launch(kernel, {blocks, threads, shared_bytes}, arguments...)
///     gpu::shared<Tag, T, n>()       n elements of T that the block's threads share; Tag distinguishes two such arrays
///     gpu::dynamic_shared<T>()       as many elements as fit into the launch's `shared_bytes`
///     gpu::load_16(address)          16 bytes (gpu::Bytes16) of device memory in one access; the address is a multiple of 16
///     gpu::store_16(address, bytes)  the same for a store
///     gpu::allow_shared(kernel)      before a launch with more than 48 KiB of `shared_bytes`, which is refused otherwise
///     gpu::most_shared_bytes()       what such a launch may have, on this GPU
///     gpu::blocks_side_by_side(n)    how many blocks with n bytes of shared memory fit on a multiprocessor, for __launch_bounds__
///     gpu::launch_early(kernel, ...) as launch, but the kernel may start while earlier work still runs
///     gpu::wait_for_earlier_work()   the first statement of such a kernel: no thread reads or writes device memory before it

#if defined(__CUDACC__)
#include "gradus/gpu/nvcc/language.hpp"
#else
#include "gradus/gpu/host/language.hpp"
#endif
