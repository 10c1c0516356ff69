#pragma once
/// \file
/// The host's interface to a GPU: memory, copies, recordings. It includes no CUDA header; nvcc/runtime.cu
/// implements it with a GPU, host/runtime.cpp on this machine's processor. There is one stream: work is done in the
/// order of the calls, except in the two branches of in_parallel.

#include <cstddef>
#include <memory>
#include <string>

#include "gradus/memory/workspace.hpp"

namespace gradus {

/// The memory of a GPU. The host holds addresses of it and never reads through them.
struct Gpu {};

namespace gpu {

/// The error of a thread that asks for work while another one records.
inline constexpr const char* one_stream = "while a thread records the work of a GPU, no other may ask for work";

/// "" if there is a GPU to compute on, else one line that says what is missing.
std::string what_is_missing();

/// "NVIDIA H200, driver for CUDA 13.0, CUDA 13.0"; "host layer" on the host layer. Throws Error if there is no GPU.
std::string device_text();

/// Allocates memory; its contents are undefined. Throws Error if there is not enough, and during a recording,
/// because a replay cannot allocate.
std::byte* allocate(std::size_t bytes);
void release(std::byte* memory) noexcept;

/// Copies. `upload` has read all of `host` when it returns; `download` waits for all earlier work. Both throw Error
/// during a recording, because a replay has no host to ask.
void upload(void* device, const void* host, std::size_t bytes);
void download(void* host, const void* device, std::size_t bytes);

/// Whether kernels of gpu::launch_early may start while earlier work still runs. Off at first. It concerns launches and recordings from
/// now on, of all threads. The host layer does one thing at a time: there it has no effect.
void allow_early_starts(bool on);

/// Whether they do: if that is allowed, and both the GPU and the code in this program are for compute capability 9 or later.
bool starts_early();

/// Sets every byte to `value`.
void set_bytes(void* device, int value, std::size_t bytes);

/// Marks bytes of a shared piece of memory as in use or not. On the host layer this informs AddressSanitizer, in
/// the order of all other work; on a GPU it does nothing.
void allow(std::byte* begin, std::size_t bytes) noexcept;
void forbid(std::byte* begin, std::size_t bytes) noexcept;

/// A recorded sequence of launches, which replays as a whole.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void begin();  ///< from now on launches are recorded and not run
  void end();
  void replay();

  /// The host layer runs `f` beside each replay and compares its launches with the recorded ones: an argument that
  /// changed on the host would be out of date on a GPU. On a GPU this does nothing.
  template <class F>
  void compare(F&& f) {
    if (!begin_comparison()) return;
    try {
      f();
    } catch (...) {
      stop();
      throw;
    }
    end_comparison();
  }

 private:
  bool begin_comparison();
  void end_comparison();
  void stop();  // ends a recording or comparison that was interrupted

  struct Graph;
  std::unique_ptr<Graph> graph_;
};

/// While it exists, this thread's work goes to the second stream, after all earlier work.
class SecondBranch {
 public:
  SecondBranch();
  ~SecondBranch();
  SecondBranch(const SecondBranch&) = delete;
  SecondBranch& operator=(const SecondBranch&) = delete;
};

/// At its end later work comes after that of the second branch, also when a branch throws: then the first stream goes on, and must
/// not write what the second one still reads.
class JoinedBranches {
 public:
  JoinedBranches();  ///< throws Error while another thread records: it must not end that recording
  ~JoinedBranches();
  JoinedBranches(const JoinedBranches&) = delete;
  JoinedBranches& operator=(const JoinedBranches&) = delete;
};

/// Whether in_parallel does f and then g. On a GPU it does so within a second branch. The host layer can do one thing at a time:
/// in a plain step f and then g, but in a recorded one g and then f. So a replay gives other bits than a plain step if f and
/// g depend on each other.
bool branches_in_order();

/// f and g, on two streams at the same time. All earlier work is done before both, and all later work after both.
/// Neither may write what the other one reads or writes, or take scratch memory.
template <class F, class G>
void in_parallel(F&& f, G&& g) {
  if (branches_in_order()) {
    f();
    g();
    return;
  }
  const JoinedBranches both;
  {
    const SecondBranch begun;
    g();
  }
  f();
}

}  // namespace gpu

template <>
struct Allocator<Gpu> {
  static std::byte* allocate(std::size_t bytes) { return gpu::allocate(bytes); }
  static void release(std::byte* p) { gpu::release(p); }
  static void poison(std::byte* p, std::size_t bytes) { gpu::set_bytes(p, 0xFF, bytes); }
  static void allow(std::byte* p, std::size_t bytes) { gpu::allow(p, bytes); }
  static void forbid(std::byte* p, std::size_t bytes) { gpu::forbid(p, bytes); }
};

}  // namespace gradus
