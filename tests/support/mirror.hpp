#pragma once
/// \file
/// The memory of a tensor on a device, and the host's copy that the judges fill and read.

#include <vector>

#include "gradus/gpu/runtime.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::test {

/// On the processor both are the same memory.
template <class T, class Space>
class Mirror {
 public:
  T* data(std::vector<T>& host) { return host.data(); }
  const T* data(const std::vector<T>& host) const { return host.data(); }
  void upload(const std::vector<T>&) {}
  void download(std::vector<T>&) const {}
};

/// On a GPU each tensor has its own piece of memory, so that an access beyond it is out of bounds.
template <class T>
class Mirror<T, Gpu> {
 public:
  Mirror() = default;
  Mirror(Mirror&& other) noexcept : memory_(other.memory_) { other.memory_ = nullptr; }
  Mirror& operator=(Mirror&& other) noexcept { return std::swap(memory_, other.memory_), *this; }
  ~Mirror() {
    if (memory_ != nullptr) gpu::release(memory_);
  }

  T* data(const std::vector<T>&) const { return reinterpret_cast<T*>(memory_); }
  void upload(const std::vector<T>& host) {
    if (memory_ == nullptr) memory_ = gpu::allocate(host.size() * sizeof(T));
    gpu::upload(memory_, host.data(), host.size() * sizeof(T));
  }
  void download(std::vector<T>& host) const { gpu::download(host.data(), memory_, host.size() * sizeof(T)); }

 private:
  std::byte* memory_ = nullptr;
};

}  // namespace gradus::test
