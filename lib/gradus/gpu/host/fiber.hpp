#pragma once
/// \file
/// A fiber: a stack, and the place where what runs on it goes on. Many of them take turns on one thread of the
/// processor, each until it gives way by itself. A thread of a GPU runs on one.

#include <cstddef>

#include "gradus/gpu/host/sanitizers.hpp"

namespace gradus::gpu::host {

class Fiber {
 public:
  Fiber();                          ///< the caller itself, on the stack that it has
  explicit Fiber(void (*entry)());  ///< a new one, which begins with `entry` when it is first switched to
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Goes on with `to`; returns when somebody switches back.
  void switch_to(Fiber& to);

  int thread = -1;  ///< the CUDA thread that it runs, -1: none

 private:
  static void begin();
  static Fiber* entered();
  void arrive();

  static constexpr std::size_t stack_bytes = std::size_t{128} << 10;
  static constexpr std::size_t guard_bytes = 4096;  // inaccessible: a stack that overflows faults

  void (*entry_)() = nullptr;
  std::byte* mapping_ = nullptr;
  void* context_ = nullptr;  // where it goes on: see fiber.cpp
  ThreadIdentity identity_;
  void* kept_ = nullptr;  // AddressSanitizer's notes on a stack that is left
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  Fiber* from_ = nullptr;  // who switched here last
};

}  // namespace gradus::gpu::host
