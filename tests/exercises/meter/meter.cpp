#include "exercises/meter/meter.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/scheduler.hpp"
#include "support/requests.hpp"

namespace gradus::test {
namespace {

constexpr std::uintptr_t banks = 32, bank_bytes = 4;

/// All requests of one instruction.
struct Sums {
  std::size_t requests = 0, sectors = 0, turns = 0, moved = 0, wanted = 0;
};

void add_global(Sums& sums, const Request& request) {
  const auto [sectors, wanted] = movement(request);
  sums.sectors += sectors;
  sums.moved += sectors * sector_bytes;
  sums.wanted += wanted;
}

/// The most words that one bank delivers. Numbers of 8 bytes go in two halves of a warp.
void add_shared(Sums& sums, const Request& request) {
  const std::size_t halves = request.front().bytes > bank_bytes ? 2 : 1;
  for (std::size_t half = 0; half < halves; ++half) {
    std::map<std::uintptr_t, std::set<std::uintptr_t>> words;  // by bank
    for (const Access& a : request) {
      if (halves == 2 && a.lane / 16 != half) continue;
      for (std::size_t i = 0; i < a.bytes; i += bank_bytes) {
        const std::uintptr_t word = (a.address + i) / bank_bytes;
        words[word % banks].insert(word);
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, found] : words) most = std::max(most, found.size());
    sums.turns += most;
  }
  for (const Access& a : request) sums.wanted += a.bytes;
}

class Meter {
 public:
  void start(const std::string& name) {
    requests_.settle();  // the last block of the case before
    name_ = name;
    is_on_ = true;
  }

  void access(std::uintptr_t at, const void* address, std::size_t bytes, bool is_store) {
    if (!is_on_) return;
    const bool is_shared = gpu::host::is_shared_memory(address);
    if (!is_shared && !(gpu::host::is_block_running() && gpu::host::is_device_memory(address))) return;
    requests_.add({at, is_store, is_shared}, address, bytes);
  }

  void print(const std::string& path) {
    requests_.settle();
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& [key, sums] : sums_) {
      const auto& [name, i] = key;
      all.push_back({{"of", name},
                     {"at", i.at},
                     {"what", i.is_store ? "store" : "load"},
                     {"memory", i.is_shared ? "shared" : "global"},
                     {"requests", sums.requests},
                     {"sectors", sums.sectors},
                     {"turns", sums.turns},
                     {"moved", sums.moved},
                     {"wanted", sums.wanted}});
    }
    std::ofstream(path) << all.dump(1) << "\n";
  }

 private:
  bool is_on_ = false;
  std::string name_;
  Requests requests_{[this](const Instruction& i, const Request& request) {
    Sums& sums = sums_[{name_, i}];
    ++sums.requests;
    i.is_shared ? add_shared(sums, request) : add_global(sums, request);
  }};
  std::map<std::pair<std::string, Instruction>, Sums> sums_;
};

Meter& the_meter() {
  static Meter m;
  return m;
}

/// The place of an instruction in the program's file, whatever address the program was loaded at.
std::uintptr_t in_file(void* address) {
  Dl_info info{};
  dladdr(address, &info);
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

}  // namespace

void start_meter(const std::string& name) { the_meter().start(name); }
void print_meter(const std::string& path) { the_meter().print(path); }

}  // namespace gradus::test

// clang calls these; the place of the call is the place of the access.
#define GRADUS_ON_ACCESS(kind, bytes, is_store)                                         \
  extern "C" void __sanitizer_cov_##kind##bytes(void* address) {                        \
    using namespace gradus::test;                                                       \
    the_meter().access(in_file(__builtin_return_address(0)), address, bytes, is_store); \
  }
GRADUS_ON_ACCESS(load, 1, false)
GRADUS_ON_ACCESS(load, 2, false)
GRADUS_ON_ACCESS(load, 4, false)
GRADUS_ON_ACCESS(load, 8, false)
GRADUS_ON_ACCESS(load, 16, false)
GRADUS_ON_ACCESS(store, 1, true)
GRADUS_ON_ACCESS(store, 2, true)
GRADUS_ON_ACCESS(store, 4, true)
GRADUS_ON_ACCESS(store, 8, true)
GRADUS_ON_ACCESS(store, 16, true)
