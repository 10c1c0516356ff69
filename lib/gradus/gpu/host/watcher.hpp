#pragma once
/// \file
/// For tools that count what a GPU would do: the host layer tells them of each piece of work, when it is done.

#include <cstddef>

namespace gradus::gpu::host {

class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;

  /// A kernel begins: its address in this program.
  virtual void on_kernel(const void* kernel) = 0;
  /// Work that is no kernel of ours, such as a product, and the bytes that it must at least read and write.
  virtual void on_other(const char* what, std::size_t read, std::size_t written) = 0;
};

/// The tool that is told from now on; null at first, and for nobody.
void set_watcher(Watcher* watcher);
Watcher* watcher();

}  // namespace gradus::gpu::host
