#pragma once
/// \file
/// A kernel with its arguments, copied by value, and what its launch can know of the memory that it uses.

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "cuda_standin/accesses.hpp"
#include "gradus/gpu/host/memory.hpp"

enum cudaError_t : int;
struct cudaLaunchConfig_t;

namespace gradus::standin {

struct Call {
  const void* kernel;
  std::function<void()> thread;  ///< one thread of the kernel
  std::function<void()> check;   ///< throws Error unless all arguments that point somewhere point to device memory
  std::vector<Access> accesses;
};
cudaError_t launch(const cudaLaunchConfig_t* config, Call call);

template <class T, int Rank>
void add_accesses(std::vector<Access>& list, const View<T, Rank, Gpu>& view) {
  std::size_t rows = 1;
  for (int i = 0; i + 1 < Rank; ++i) rows *= view.extent[static_cast<std::size_t>(i)];
  if (view.data == nullptr || rows == 0) return;
  list.push_back({"an argument", view.data, view.extent[Rank - 1] * sizeof(T), !std::is_const_v<T>, rows,
                  view.stride * sizeof(T)});
}
template <class T, std::size_t N>
void add_accesses(std::vector<Access>& list, const std::array<T, N>& views) {
  for (const T& view : views) add_accesses(list, view);
}
/// Of a pointer the launch knows no size.
template <class T>
void add_accesses([[maybe_unused]] std::vector<Access>& list, [[maybe_unused]] const T& argument) {
  if constexpr (gpu::host::HasViews<T>::value)
    each_view(argument, [&](const auto& view) { add_accesses(list, view); });
}

template <class... P>
Call call_of(void (*kernel)(P...), const std::tuple<P...>& arguments) {
  Call call{reinterpret_cast<const void*>(kernel), [=] { std::apply(kernel, arguments); }, {}, {}};
  const auto each = [](const auto&... of) { (gpu::host::check_argument(of), ...); };
  call.check = [=] { std::apply(each, arguments); };
  std::apply([&](const auto&... of) { (add_accesses(call.accesses, of), ...); }, arguments);
  return call;
}

}  // namespace gradus::standin
