#pragma once
/// \file
/// What the host asks of a GPU besides running kernels: memory, copies, recordings. No header of CUDA is seen here;
/// runtime_cuda.cu answers with a GPU, host/runtime.cpp with this machine's processor. All work is done in the order
/// in which it was asked for: there is one stream.

#include <cstddef>
#include <memory>
#include <string>

#include "gradus/memory/workspace.hpp"

namespace gradus {

/// The memory of a GPU. The host holds addresses of it and never looks.
struct Gpu {};

namespace gpu {

/// What a thread is told that asks for work while another one records.
inline constexpr const char* one_stream = "a GPU has one stream: while a thread records, no other may ask for work";

/// "" if there is a GPU to compute on, else one line that says what is missing.
std::string what_is_missing();

/// Memory that holds whatever it held. Error if there is not enough, and during a recording: what is replayed asks for
/// none.
std::byte* allocate(std::size_t bytes);
void release(std::byte* memory) noexcept;

/// Copies. `upload` has read `host` when it returns; `download` waits for all work asked for before it. Both are
/// errors during a recording: what is replayed has no host to ask.
void upload(void* device, const void* host, std::size_t bytes);
void download(void* host, const void* device, std::size_t bytes);

/// Every byte becomes `value`.
void set_bytes(void* device, int value, std::size_t bytes);

/// Which bytes of a piece are in use, for tensors that share it. The host layer tells AddressSanitizer, in the order of
/// all other work; nobody else looks.
void allow(std::byte* begin, std::size_t bytes) noexcept;
void forbid(std::byte* begin, std::size_t bytes) noexcept;

/// A recorded sequence of launches, to be run again as a whole.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void begin();  ///< launches are noted from now on, and not run
  void end();
  void replay();

  /// The host layer runs `f` beside each replay and compares what it would launch with what was recorded: an argument
  /// that changed on the host would be a stale one on a GPU. A GPU cannot do that, and does nothing here.
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
  void stop();  // a recording or comparison that was not brought to its end

  struct Graph;
  std::unique_ptr<Graph> graph_;
};

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
