#pragma once
/// \file
/// The state of the stand-in's one GPU, and the rules that several of CUDA's functions share. Every function of CUDA's holds the lock of
/// `answer` while it works.

#include <cuda_runtime.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cuda_standin/accesses.hpp"
#include "cuda_standin/errors.hpp"
#include "cuda_standin/queue.hpp"

namespace gradus::standin {

/// A piece of work in a graph, and the numbers of those before it.
struct Node {
  TaskPtr task;
  std::vector<Id> after;
};

/// A capture, from its begin to its end. Events that were recorded in it keep it.
struct Capture {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool is_valid = true, is_over = false;
  std::set<cudaStream_t> streams;
  std::vector<Node> nodes;
  Watch watch;
};
using CapturePtr = std::shared_ptr<Capture>;

}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
struct CUstream_st {
  bool is_blocking = true;     ///< waits for work of the null stream, and that one for its work
  gradus::standin::Line line;  ///< of work to run, or of the graph while it captures
  gradus::standin::CapturePtr capture;
  gradus::standin::Line outside;  ///< `line` before the capture
};
struct CUevent_st {
  bool was_recorded = false;
  gradus::standin::Line line;
  gradus::standin::CapturePtr capture;
};
struct CUgraph_st {
  std::vector<gradus::standin::Node> nodes;
};
struct CUgraphExec_st {
  std::vector<gradus::standin::Node> nodes;
  std::vector<gradus::standin::Id> last_launch;
};
// NOLINTEND(readability-identifier-naming)

namespace gradus::standin {

struct Device {
  std::recursive_mutex one_at_a_time;
  cudaError_t fault = cudaSuccess;
  Queue queue;
  Watch watch;
  CUstream_st null_stream;
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
  std::set<CapturePtr> captures;
};
Device& device();  ///< lives as long as the process: destructors of static objects free memory

/// The stream of a handle; Refused if there is none.
CUstream_st& stream_of(cudaStream_t handle);
CUevent_st& event_of(cudaEvent_t handle);

/// Adds work to a stream: to its capture, or to what will run.
void add_task(cudaStream_t handle, const TaskPtr& task);
inline void add_task(cudaStream_t handle, Task task) {
  add_task(handle, std::make_shared<const Task>(std::move(task)));
}

/// Runs work, and forgets what can no longer run beside new work. Fault if some fails.
void run_until(const std::vector<Id>& until);
void run_all();

/// The rules of captures. Each throws Refused, and makes the captures invalid that the call breaks.
void refuse_in_capture(CUstream_st& stream,
                       const char* what);  ///< to wait for captured work, or to ask whether it is done
void refuse_if_unsafe(const char* what);   ///< a call that CUDA calls potentially unsafe
void refuse_null_stream(const char* what);
[[noreturn]] void break_capture(Capture& capture, cudaError_t code, const std::string& why);
void release_streams(Capture& capture);  ///< takes its streams out of it

/// Fault unless the bytes lie in one piece of device memory.
void check_on_device(const std::string& what, const void* begin, std::size_t bytes);

/// Calls `f`, and returns what CUDA's function returns.
template <class F>
cudaError_t answer(F&& f) {
  Device& d = device();
  const std::lock_guard lock(d.one_at_a_time);
  if (d.fault != cudaSuccess) return note(d.fault, "");
  try {
    f();
    return cudaSuccess;
  } catch (const Refused& refused) {
    return note(refused.code, refused.why);
  } catch (const Fault& fault) {
    return d.fault = note(fault.code, fault.why);
  }
}

}  // namespace gradus::standin
