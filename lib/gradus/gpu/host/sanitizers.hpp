#pragma once
/// \file
/// Tells the sanitizers what the host layer does: it switches stacks, CUDA threads count as threads, and some
/// memory is out of bounds. Without a sanitizer these functions do nothing.

#include <cstddef>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define GRADUS_HOST_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define GRADUS_HOST_TSAN 1
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace gradus::gpu::host {

#if defined(GRADUS_HOST_TSAN)
constexpr bool watches_races = true;
using ThreadIdentity = void*;
inline ThreadIdentity new_identity() { return __tsan_create_fiber(0); }
inline ThreadIdentity own_identity() { return __tsan_get_current_fiber(); }
inline void become(ThreadIdentity identity) { __tsan_switch_to_fiber(identity, __tsan_switch_to_fiber_no_sync); }
inline void release_edge(void* edge) { __tsan_release(edge); }  ///< what this thread did before the call ...
inline void acquire_edge(void* edge) { __tsan_acquire(edge); }  ///< ... is visible to the thread after this call

/// As long as one of these exists, the race detector ignores memory accesses: the layer's own bookkeeping is no
/// part of a kernel.
struct Unwatched {
  Unwatched() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Unwatched() {
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  }
};
#else
constexpr bool watches_races = false;
using ThreadIdentity = char;
inline ThreadIdentity new_identity() { return 0; }
inline ThreadIdentity own_identity() { return 0; }
inline void become(ThreadIdentity) {}
inline void release_edge(void*) {}
inline void acquire_edge(void*) {}
struct Unwatched {
  Unwatched() {}
  ~Unwatched() {}
};
#endif

#if defined(GRADUS_HOST_ASAN)
constexpr bool watches_bounds = true;
inline void forbid(void* begin, std::size_t bytes) { __asan_poison_memory_region(begin, bytes); }
inline void allow(void* begin, std::size_t bytes) { __asan_unpoison_memory_region(begin, bytes); }
inline void leave_stack(void** kept, const void* bottom, std::size_t bytes) {
  __sanitizer_start_switch_fiber(kept, bottom, bytes);
}
inline void enter_stack(void* kept, const void** bottom, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(kept, bottom, bytes);
}
#else
constexpr bool watches_bounds = false;
inline void forbid(void*, std::size_t) {}
inline void allow(void*, std::size_t) {}
inline void leave_stack(void**, const void*, std::size_t) {}
inline void enter_stack(void*, const void**, std::size_t*) {}
#endif

/// A sanitizer takes many times as long, and needs each way through a kernel once.
constexpr bool is_watched = watches_races || watches_bounds;

}  // namespace gradus::gpu::host
