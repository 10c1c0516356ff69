#include "measure/traffic/traffic.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/stream.hpp"
#include "gradus/util/error.hpp"
#include "support/requests.hpp"

namespace gradus::test {
namespace {

/// The last launches that have read or written a sector.
struct Sector {
  std::uint32_t read, written;
};

/// The place of a function in the program's file, whatever address the program was loaded at.
std::uintptr_t in_file(const void* function) {
  Dl_info info{};
  dladdr(function, &info);
  return reinterpret_cast<std::uintptr_t>(function) - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

class Traffic : public gpu::host::Watcher {
 public:
  /// One entry for each sector that device memory can have. Entries use memory when they are first written.
  Traffic() {
    const auto [base, bytes] = gpu::host::device_addresses();
    base_ = reinterpret_cast<std::uintptr_t>(base), bytes_ = bytes;
    void* const sectors = mmap(nullptr, bytes / sector_bytes * sizeof(Sector), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (sectors == MAP_FAILED) fail("there are no addresses left to count sectors");
    sectors_ = static_cast<Sector*>(sectors);
  }

  void on_kernel(const void* kernel, bool early) override {
    begin({in_file(kernel), ""});
    if (early) ++kernel_->early;
  }
  void on_other(const char* what, std::size_t read, std::size_t written) override {
    begin({0, what});
    kernel_->read += read, kernel_->written += written;
  }

  void access(const void* at, const void* address, std::size_t bytes, bool is_store) {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - base_;
    if (kernel_ == nullptr || offset >= bytes_) return;
    const bool is_first_block = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
    if (is_first_block) requests_.add({reinterpret_cast<std::uintptr_t>(at), is_store, false}, address, bytes);
    for (std::size_t i = offset / sector_bytes; i <= (offset + bytes - 1) / sector_bytes; ++i) {
      Sector& sector = sectors_[i];
      if (is_store) {
        if (std::exchange(sector.written, launch_) != launch_) kernel_->written += sector_bytes;
      } else if (sector.written != launch_) {  // what this launch has written is in the cache
        if (std::exchange(sector.read, launch_) != launch_) kernel_->read += sector_bytes;
      }
    }
  }

  /// Numbers of launches go on, so no sector is taken for one of an earlier count.
  void clear() {
    requests_.settle();
    kernel_ = nullptr;
    sums_.clear(), order_.clear();
  }

  Moved total() {
    requests_.settle();
    Moved total;
    for (const auto& [name, sums] : sums_) {
      total.launches += sums.launches, total.early += sums.early;
      total.read += sums.read, total.written += sums.written;
      total.requests += sums.requests, total.sectors += sums.sectors, total.wanted += sums.wanted;
    }
    return total;
  }

  void write(const std::string& path) const {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Name& name : order_) {
      const Moved& sums = sums_.at(name);
      all.push_back({{"at", name.first},
                     {"what", name.second},
                     {"launches", sums.launches},
                     {"early", sums.early},
                     {"read", sums.read},
                     {"written", sums.written},
                     {"requests", sums.requests},
                     {"sectors", sums.sectors},
                     {"wanted", sums.wanted}});
    }
    std::ofstream(path) << all.dump(1) << "\n";
  }

 private:
  using Name = std::pair<std::uintptr_t, std::string>;  // a kernel's address, or the name of other work

  void begin(const Name& name) {
    requests_.settle();  // those of the launch before
    ++launch_;
    const auto [at, is_new] = sums_.try_emplace(name);
    if (is_new) order_.push_back(name);
    kernel_ = &at->second;
    ++kernel_->launches;
  }

  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  Sector* sectors_ = nullptr;
  std::uint32_t launch_ = 0;
  Moved* kernel_ = nullptr;
  std::map<Name, Moved> sums_;
  std::vector<Name> order_;
  Requests requests_{[this](const Instruction&, const Request& request) {
    const auto [sectors, wanted] = movement(request);
    const std::size_t blocks = std::size_t{gridDim.x} * gridDim.y * gridDim.z;  // this one stands for all
    kernel_->requests += blocks, kernel_->sectors += blocks * sectors, kernel_->wanted += blocks * wanted;
  }};
};

Traffic& traffic() {
  static Traffic the;
  return the;
}

Traffic* counting = nullptr;  // null: nothing is counted

}  // namespace

void start_traffic() {
  traffic().clear();
  counting = &traffic();
  gpu::host::set_watcher(counting);
}

Moved stop_traffic() {
  counting = nullptr;
  gpu::host::set_watcher(nullptr);
  return traffic().total();
}

void write_traffic(const std::string& path) { traffic().write(path); }

}  // namespace gradus::test

// A compiler that looks for races inserts calls of these functions.
#define GRADUS_ON_ACCESS(kind, bytes, is_store)                                                       \
  extern "C" void __tsan_##kind##bytes(const void* address) {                                         \
    using namespace gradus::test;                                                                     \
    if (counting != nullptr) counting->access(__builtin_return_address(0), address, bytes, is_store); \
  }
#define GRADUS_ON_ACCESSES(bytes)                \
  GRADUS_ON_ACCESS(read, bytes, false)           \
  GRADUS_ON_ACCESS(write, bytes, true)           \
  GRADUS_ON_ACCESS(unaligned_read, bytes, false) \
  GRADUS_ON_ACCESS(unaligned_write, bytes, true)
GRADUS_ON_ACCESSES(1)
GRADUS_ON_ACCESSES(2)
GRADUS_ON_ACCESSES(4)
GRADUS_ON_ACCESSES(8)
GRADUS_ON_ACCESSES(16)
extern "C" {
void __tsan_read_range(const void* address, std::size_t bytes) {
  using namespace gradus::test;
  if (counting != nullptr && bytes != 0) counting->access(__builtin_return_address(0), address, bytes, false);
}
void __tsan_write_range(const void* address, std::size_t bytes) {
  using namespace gradus::test;
  if (counting != nullptr && bytes != 0) counting->access(__builtin_return_address(0), address, bytes, true);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
}
