#pragma once
/// \file
/// The activations for one element, for kernels: the code that activation and linear_activation share.

#include "06_feed_forward/activation.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {

struct KernelRelu {
  static constexpr bool needs_input = false;  ///< the slope is 1 exactly where the output is not 0
  template <class Real>
  static __device__ Real value(Real x) {
    return x > 0 ? x : Real(0);
  }
  template <class Real>
  static __device__ Real slope(Real x) {
    return x > 0 ? Real(1) : Real(0);
  }
};

struct KernelGelu {
  static constexpr bool needs_input = true;
  template <class Real>
  static __device__ Real below(Real x) {
    return Real(0.5) * (1 + erf(x * Real(root_half)));
  }
  template <class Real>
  static __device__ Real value(Real x) {
    return x * below(x);
  }
  template <class Real>
  static __device__ Real slope(Real x) {
    return below(x) + x * Real(one_over_root_2pi) * exp(Real(-0.5) * x * x);
  }
};

struct KernelSwish {
  static constexpr bool needs_input = true;
  template <class Real>
  static __device__ Real logistic(Real x) {
    return 1 / (1 + exp(-x));
  }
  template <class Real>
  static __device__ Real value(Real x) {
    return x * logistic(x);
  }
  template <class Real>
  static __device__ Real slope(Real x) {
    const Real sigma = logistic(x);
    return sigma * (1 + x * (1 - sigma));
  }
};

/// Calls body(KernelRelu{}), or with the type of another activation: the host chooses, so the kernel has no branch.
template <class F>
void with_kernel_activation(Activation activation, F&& body) {
  switch (activation) {
    case Activation::relu:
      return body(KernelRelu{});
    case Activation::gelu:
      return body(KernelGelu{});
    case Activation::swish:
      return body(KernelSwish{});
  }
}

/// Blocks of eight warps: a warp takes a row, a lane four neighbouring columns. The grid counts rows in x and
/// columns in y, so that threads need no division.
constexpr unsigned activation_warps = 8, activation_threads = 32 * activation_warps, activation_columns = 4 * 32;

inline gpu::Grid activation_grid(std::size_t N, std::size_t F, unsigned rows_per_block) {
  return {gpu::blocks_xy(gpu::blocks_for(N, rows_per_block), gpu::blocks_for(F, activation_columns)),
          activation_threads};
}

/// The first of the four columns of a thread.
inline __device__ std::size_t activation_column() {
  return gpu::block_y() * activation_columns + 4 * (threadIdx.x % 32);
}

}  // namespace gradus
