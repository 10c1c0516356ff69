#include "gradus/gpu/runtime.hpp"

#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/gpu/host/stream.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu {

struct Recording::Graph {
  std::vector<std::function<void()>> work;
  std::vector<std::vector<unsigned char>> launches;  // the arguments of each launch that is compared
  std::size_t compared = 0;
  bool is_noting = false;  // true while it records or compares
};

namespace host {
namespace {

/// The recording that notes the work; null if work is done at once. Work that was submitted aside has no bytes.
std::function<void(std::function<void()>, std::vector<unsigned char>)> note;
std::atomic<std::thread::id> noting{};  // the thread that records

Watcher* told = nullptr;

void refuse_other_threads() {
  const std::thread::id who = noting;
  require(who == std::thread::id{} || who == std::this_thread::get_id(), one_stream);
}

}  // namespace

bool is_noting() { return noting == std::this_thread::get_id(); }

void set_watcher(Watcher* watcher) { told = watcher; }
Watcher* watcher() { return told; }

void submit(std::function<void()> work, std::vector<unsigned char> bytes) {
  refuse_other_threads();
  if (!note) return work();
  note(std::move(work), std::move(bytes));
}

void submit_aside(std::function<void()> work) {
  if (is_noting()) return note(std::move(work), {});
  work();
}

void refuse_while_recording(const char* what) {
  refuse_other_threads();
  if (note) fail(std::string(what) + " cannot be recorded: a replay has no host to ask");
}

}  // namespace host

std::string what_is_missing() { return ""; }
void allow_early_starts(bool) {}
bool starts_early() { return false; }
std::string device_text() { return "host layer"; }
std::size_t most_shared_bytes() { return host::most_shared_bytes(); }
unsigned most_blocks_y() { return host::most_blocks_y(); }

std::byte* allocate(std::size_t bytes) {
  host::refuse_while_recording("allocate");
  return host::take_memory(bytes);
}
void release(std::byte* piece) noexcept { host::give_memory_back(piece); }

void allow(std::byte* begin, std::size_t bytes) noexcept {
  if constexpr (host::watches_bounds) host::submit_aside([=] { host::allow(begin, bytes); });
}
void forbid(std::byte* begin, std::size_t bytes) noexcept {
  if constexpr (host::watches_bounds) host::submit_aside([=] { host::forbid(begin, bytes); });
}

void upload(void* device, const void* host, std::size_t bytes) {
  host::refuse_while_recording("upload");
  if (bytes == 0) return;
  host::check_device_memory("upload: the destination", device, bytes);
  const host::DeviceAccess access;
  std::memcpy(device, host, bytes);
}

void download(void* host, const void* device, std::size_t bytes) {
  host::refuse_while_recording("download");
  if (bytes == 0) return;
  host::check_device_memory("download: the source", device, bytes);
  const host::DeviceAccess access;
  std::memcpy(host, device, bytes);
}

void set_bytes(void* device, int value, std::size_t bytes) {
  if (bytes == 0) return;
  host::check_device_memory("set_bytes", device, bytes);
  host::submit(
      [=] {
        const host::DeviceAccess access;
        if (host::Watcher* const watcher = host::watcher()) watcher->on_other("set_bytes", 0, bytes);
        std::memset(device, value, bytes);
      },
      host::bytes_of(device, value, bytes));
}

Recording::Recording() : graph_(std::make_unique<Graph>()) {}
Recording::~Recording() { stop(); }

void Recording::begin() {
  host::refuse_while_recording("a recording");
  graph_->is_noting = true;
  host::noting = std::this_thread::get_id();
  host::note = [this](std::function<void()> work, std::vector<unsigned char> bytes) {
    graph_->work.push_back(std::move(work));
    if (!bytes.empty()) graph_->launches.push_back(std::move(bytes));
  };
}
void Recording::end() { stop(); }

void Recording::stop() {
  if (!std::exchange(graph_->is_noting, false)) return;
  host::note = nullptr;
  host::noting = std::thread::id{};
}

void Recording::replay() {
  for (const auto& work : graph_->work) work();
}

SecondBranch::SecondBranch() = default;
SecondBranch::~SecondBranch() {
  // there is no second stream
}
JoinedBranches::JoinedBranches() = default;
JoinedBranches::~JoinedBranches() {
  // so there is nothing to wait for
}
bool branches_in_order() { return !host::is_noting(); }

bool Recording::begin_comparison() {
  host::refuse_while_recording("a replay");
  graph_->is_noting = true;
  host::noting = std::this_thread::get_id();
  graph_->compared = 0;
  host::note = [this](const std::function<void()>&, const std::vector<unsigned char>& bytes) {
    if (bytes.empty()) return;
    const std::size_t i = graph_->compared++;
    if (i < graph_->launches.size() && graph_->launches[i] == bytes) return;
    fail("launch " + std::to_string(i + 1) +
         " of a recorded step has other arguments than when it was recorded: "
         "a value that changes belongs into device memory");
  };
  return true;
}

void Recording::end_comparison() {
  stop();
  if (graph_->compared != graph_->launches.size()) {
    fail("a recorded step of " + std::to_string(graph_->launches.size()) + " launches now has " +
         std::to_string(graph_->compared));
  }
}

}  // namespace gradus::gpu
