#pragma once
/// \file
/// The stream of the host layer: work is done at once, or noted while a recording is made.

#include <cstddef>
#include <functional>
#include <vector>

namespace gradus::gpu::host {

/// Work that a GPU would do: run at once, or recorded. `bytes` holds its arguments, byte for byte; they must be
/// equal in two recordings of the same step.
void submit(std::function<void()> work, std::vector<unsigned char> bytes);

/// Work that exists on the host layer only, kept in its place among the rest: run at once, or recorded. It may
/// differ between recordings of the same step. It never throws, because destructors call it while an exception is
/// active.
void submit_aside(std::function<void()> work);

/// Whether the calling thread's work is noted, for a recording or a comparison with one.
bool is_noting();

/// Throws Error, beginning with `what`, while a recording is made. For copies and for reading results, which cannot
/// be recorded.
void refuse_while_recording(const char* what);

/// The bytes of some values, one value after the other.
template <class... T>
std::vector<unsigned char> bytes_of(const T&... values) {
  std::vector<unsigned char> bytes;
  const auto append = [&](const auto& value) {
    const auto* const begin = reinterpret_cast<const unsigned char*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  };
  (append(values), ...);
  return bytes;
}

/// A tool that counts what a GPU would do: the host layer tells it of each piece of work, when it is done.
class Watcher {
 public:
  virtual ~Watcher() = default;

  /// A kernel begins: its address in this program, and whether it may start early.
  virtual void on_kernel(const void* kernel, bool early) = 0;
  /// Work that is no kernel of ours, such as a product, and the bytes that it must at least read and write.
  virtual void on_other(const char* what, std::size_t read, std::size_t written) = 0;
};

/// The tool that is told from now on; null at first, and for nobody.
void set_watcher(Watcher* watcher);
Watcher* watcher();

}  // namespace gradus::gpu::host
