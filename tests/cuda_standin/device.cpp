#include "cuda_standin/device.hpp"

#include <cstdlib>
#include <utility>

#include "gradus/gpu/host/memory.hpp"
#include "gradus/util/error.hpp"

namespace gradus::standin {
namespace {

/// Work of the null stream comes after that of all blocking streams, and theirs after it.
Line before(CUstream_st& stream) {
  Device& d = device();
  Line line = stream.line;
  if (&stream == &d.null_stream) {
    for (const cudaStream_t other : d.streams) {
      if (other->is_blocking) line.join(other->line);
    }
  } else if (stream.is_blocking) {
    line.join(d.null_stream.line);
  }
  return line;
}

void step(CUstream_st& stream, Id id) {
  stream.line.tails = {id};
  ++stream.line.before[&stream];
}

void capture_task(CUstream_st& stream, const TaskPtr& task) {
  Capture& capture = *stream.capture;
  if (!capture.is_valid) throw Refused{cudaErrorStreamCaptureInvalidated, task->what};
  capture.nodes.push_back({task, stream.line.tails});
  step(stream, capture.nodes.size() - 1);
  capture.watch.add(&stream, stream.line, task);
}

}  // namespace

Device& device() {
  static Device& the = *new Device;
  return the;
}

CUstream_st& stream_of(cudaStream_t handle) {
  Device& d = device();
  if (handle == nullptr) return d.null_stream;
  if (d.streams.count(handle) == 0) throw Refused{cudaErrorInvalidResourceHandle, "there is no such stream"};
  return *handle;
}

CUevent_st& event_of(cudaEvent_t handle) {
  if (device().events.count(handle) == 0) throw Refused{cudaErrorInvalidResourceHandle, "there is no such event"};
  return *handle;
}

void add_task(cudaStream_t handle, const TaskPtr& task) {
  Device& d = device();
  CUstream_st& stream = stream_of(handle);
  if (stream.capture) return capture_task(stream, task);
  if (handle == nullptr) refuse_null_stream(task->what.c_str());
  stream.line = before(stream);
  step(stream, d.queue.add(task, stream.line.tails));
  d.watch.add(&stream, stream.line, task);
  if (std::getenv("CUDA_LAUNCH_BLOCKING") != nullptr) run_until(stream.line.tails);
}

void run_until(const std::vector<Id>& until) {
  Device& d = device();
  d.queue.run(until);
  d.watch.keep([&](Id id) { return d.queue.has(id); });
}

void run_all() {
  Device& d = device();
  d.queue.run_all();
  d.watch.keep([](Id) { return false; });
}

void check_on_device(const std::string& what, const void* begin, std::size_t bytes) {
  try {
    gpu::host::check_device_memory(what.c_str(), begin, bytes);
  } catch (const Error& error) {
    throw Fault{cudaErrorIllegalAddress, error.what()};
  }
}

void set_order(Order order, unsigned seed) { device().queue.set_order(order, seed); }
std::size_t waiting() { return device().queue.size(); }

Machine& machine() {
  static Machine the;
  return the;
}

void start_anew() {
  Device& d = device();
  for (const CapturePtr& capture : d.captures) release_streams(*capture);
  d.captures.clear();
  d.queue.clear();
  d.watch = {};
  d.fault = cudaSuccess;
  cudaGetLastError();
}

}  // namespace gradus::standin
