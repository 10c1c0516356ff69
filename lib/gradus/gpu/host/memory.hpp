#pragma once
/// \file
/// Device memory of the host layer. Outside kernels, copies and products the host cannot access its pages. So host
/// code that reads through a device pointer faults at once, as it would with a GPU.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "gradus/gpu/runtime.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::gpu::host {

/// Device memory is accessible as long as one of these exists.
class DeviceAccess {
 public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// A new piece of device memory, filled with NaN unless `fill` is false; Error if there is not enough. `piece` must come from
/// take_memory, else Error.
std::byte* take_memory(std::size_t bytes, bool fill = true);
void give_memory_back(std::byte* piece);

/// false: device memory is always accessible. Use it for long runs that have passed with protection: protection
/// makes two system calls for each launch.
void protect_device_memory(bool on);

/// Whether an address is one of device memory; for tools that watch a kernel.
bool is_device_memory(const void* at);

/// All addresses that device memory can have: the first one, and how many.
std::pair<const std::byte*, std::size_t> device_addresses();

/// Throws Error unless all the bytes lie in one piece of device memory. The message begins with `what`.
void check_device_memory(const char* what, const void* begin, std::size_t bytes);

// The arguments that a launch accepts: any number, a pointer to device memory, a view of it, an array of views, a
// struct with a function each_view. An empty tensor may have any address.
template <class T, int Rank>
void check_argument(const View<T, Rank, Gpu>& view) {
  std::size_t rows = 1;
  for (int i = 0; i + 1 < Rank; ++i) rows *= view.extent[static_cast<std::size_t>(i)];
  const std::size_t columns = view.extent[Rank - 1];
  if (view.data == nullptr || rows == 0 || columns == 0) return;
  check_device_memory("launch: a view", view.data, ((rows - 1) * view.stride + columns) * sizeof(T));
}
template <class T, int Rank, std::size_t N>
void check_argument(const std::array<View<T, Rank, Gpu>, N>& views) {
  for (const auto& view : views) check_argument(view);
}
template <class T, class = void>
struct HasViews : std::false_type {};
template <class T>
struct HasViews<T, std::void_t<decltype(each_view(std::declval<const T&>(), 0))>> : std::true_type {};

template <class T>
void check_argument(const T& argument) {
  if constexpr (std::is_pointer_v<T>) {
    if (argument != nullptr) check_device_memory("launch: a pointer", argument, 1);
  } else if constexpr (HasViews<T>::value) {
    each_view(argument, [](const auto& view) { check_argument(view); });
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "a kernel's arguments are copied byte for byte");
  }
}

}  // namespace gradus::gpu::host
