#pragma once
/// \file
/// A fiber: a stack, and the place where its code continues. Many fibers take turns on one thread of the processor;
/// each runs until it switches to another. Each GPU thread runs on a fiber.

#include <cstddef>

#include "gradus/gpu/host/sanitizers.hpp"

namespace gradus::gpu::host {

class Fiber {
 public:
  Fiber();                          ///< the caller itself, on its own stack
  explicit Fiber(void (*entry)());  ///< a new fiber; the first switch to it calls `entry`
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Continues with `to`; returns when another fiber switches back.
  void switch_to(Fiber& to);

  int thread = -1;  ///< the CUDA thread on this fiber; -1: none

 private:
  static void begin();
  static Fiber* entered();
  void arrive();

  static constexpr std::size_t stack_bytes = std::size_t{128} << 10;
  static constexpr std::size_t guard_bytes = 4096;  // inaccessible: a stack overflow faults

  void (*entry_)() = nullptr;
  std::byte* mapping_ = nullptr;
  void* context_ = nullptr;  // where it continues: see fiber.cpp
  ThreadIdentity identity_;
  void* kept_ = nullptr;  // AddressSanitizer's data about a suspended stack
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  Fiber* from_ = nullptr;  // the fiber that switched here last
};

}  // namespace gradus::gpu::host
