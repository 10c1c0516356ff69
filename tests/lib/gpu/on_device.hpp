#pragma once
/// \file
/// Common functions of the host layer's tests.

#include <string>
#include <vector>

#include "gradus/gpu/language.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// Values in device memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t n) : n_(n), memory_(gpu::allocate(n * sizeof(T))) {}
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    gpu::upload(memory_, values.data(), n_ * sizeof(T));
  }
  ~OnDevice() { gpu::release(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() const { return reinterpret_cast<T*>(memory_); }
  View<T, 1, Gpu> view() const { return {data(), {n_}, n_}; }
  View<T, 2, Gpu> matrix(std::size_t rows, std::size_t columns) const { return {data(), {rows, columns}, columns}; }
  std::vector<T> values() const {
    std::vector<T> host(n_);
    gpu::download(host.data(), memory_, n_ * sizeof(T));
    return host;
  }

 private:
  std::size_t n_;
  std::byte* memory_;
};

/// Every thread adds its number to the previous thread's result: right only if barriers work.
__global__ inline void neighbour_kernel(View<int, 1, Gpu> y) {
  int* const written = gpu::shared<struct Neighbours, int, 96>();
  written[threadIdx.x] = static_cast<int>(100 * threadIdx.x);
  __syncthreads();
  const unsigned before = (threadIdx.x + 95) % 96;
  y[96 * blockIdx.x + threadIdx.x] = written[before] + static_cast<int>(threadIdx.x);
}

/// Checks that the layer still works after an error.
inline void check_layer_works() {
  const OnDevice<int> y(192);
  gpu::launch(neighbour_kernel, {2, 96}, y.view());
  const std::vector<int> found = y.values();
  for (std::size_t k = 0; k < 192; ++k) {
    const auto i = static_cast<int>(k % 96);
    REQUIRE(found[k] == 100 * ((i + 95) % 96) + i);
  }
}

/// Checks that a launch of `kernel` fails with this message, and that the layer works afterwards.
template <class... P, class... A>
void check_refused(const std::string& words, void (*kernel)(P...), const gpu::Grid& grid, A... arguments) {
  CHECK_THROWS_WITH(gpu::launch(kernel, grid, arguments...), contains(words));
  check_layer_works();
}

}  // namespace gradus::test
