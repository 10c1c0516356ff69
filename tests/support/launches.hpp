#pragma once
/// \file
/// How many launches some work has on the host layer, and what its products move.

#include <string>

#include "gradus/gpu/host/stream.hpp"

namespace gradus::test {

struct Launches : gpu::host::Watcher {
  int kernels = 0, early = 0, products = 0, others = 0;  ///< `early`: the kernels that may start early
  std::size_t read = 0, written = 0;                     ///< bytes, by products

  int all() const { return kernels + products + others; }
  void on_kernel(const void*, bool is_early) override { ++kernels, early += is_early ? 1 : 0; }
  void on_other(const char* what, std::size_t of_read, std::size_t of_written) override {
    if (std::string(what) != "product") {
      ++others;
      return;
    }
    ++products, read += of_read, written += of_written;
  }
};

template <class F>
Launches launches_of(F&& f) {
  Launches counted;
  struct Watching {
    explicit Watching(Launches& who) { gpu::host::set_watcher(&who); }
    ~Watching() { gpu::host::set_watcher(nullptr); }  // also if f throws
  };
  {
    const Watching now(counted);
    f();
  }
  return counted;
}

}  // namespace gradus::test
