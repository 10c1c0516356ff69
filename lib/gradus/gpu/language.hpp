#pragma once
/// \file
/// The one header that a .cu file includes for the language of kernels: CUDA itself under nvcc; under any other compiler
/// the host layer, which runs the same kernels on this machine's processor. Beside what CUDA brings (threadIdx,
/// __syncthreads, __shfl_xor_sync, ...) kernels and their launches use three names of our own:
///
///     gpu::launch(kernel, {blocks, threads, shared_bytes}, arguments...)
///     gpu::shared<Tag, T, n>()       n elements of T that the block's threads share; Tag tells two such arrays apart
///     gpu::dynamic_shared<T>()       as many as `shared_bytes` of the launch holds

#if defined(__CUDACC__)
#include "gradus/gpu/nvcc/language.hpp"
#else
#include "gradus/gpu/host/language.hpp"
#endif
