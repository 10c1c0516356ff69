#pragma once
/// \file
/// The language of kernels on the host: CUDA's keywords and functions (cuda_names.hpp), and the names of gpu/language.hpp.

#include <cstddef>
#include <optional>

#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/bytes16.hpp"
#include "gradus/gpu/host/cuda_names.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/stream.hpp"

namespace gradus::gpu {

template <class... P>
void allow_shared(void (*kernel)(P...)) {
  host::allow_shared_of(reinterpret_cast<const void*>(kernel));
}

template <class Tag, class T, int n>
T* shared() {
  static const char tag = 0;
  return static_cast<T*>(host::shared_memory(&tag, n * sizeof(T)));
}

template <class T>
T* dynamic_shared() {
  return static_cast<T*>(host::shared_memory(nullptr, 0));
}

namespace host {

/// If the kernel may start early, device memory is closed until its first thread has waited. An access before that is a fault.
template <class... P, class... A>
void launch(bool early, void (*kernel)(P...), const Grid& grid, A... arguments) {
  (check_argument(static_cast<P>(arguments)), ...);
  const auto* const address = reinterpret_cast<const void*>(kernel);
  check_grid(grid);
  check_shared(address, grid.shared_bytes);
  submit(
      [=] {
        if (Watcher* const told = watcher()) told->on_kernel(address, early);
        const auto of_thread = [=] { kernel(static_cast<P>(arguments)...); };
        std::optional<DeviceAccess> access;
        const auto open = [&] { access.emplace(); };
        if (early) return run(grid, shared_limit(address), of_thread, open);
        open();
        run(grid, shared_limit(address), of_thread);
      },
      bytes_of(early, kernel, grid, static_cast<P>(arguments)...));
}

}  // namespace host

template <class... P, class... A>
void launch(void (*kernel)(P...), const Grid& grid, A... arguments) {
  host::launch(false, kernel, grid, arguments...);
}
template <class... P, class... A>
void launch_early(void (*kernel)(P...), const Grid& grid, A... arguments) {
  host::launch(true, kernel, grid, arguments...);
}
inline void wait_for_earlier_work() { host::wait_for_earlier_work(); }

}  // namespace gradus::gpu
