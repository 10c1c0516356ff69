// CUDA's functions for streams, events and graphs. The rules of captures are in capture.cpp.

#include <algorithm>
#include <set>

#include "cuda_standin/device.hpp"

namespace gradus::standin {
namespace {

void create(cudaStream_t* stream, bool is_blocking) {
  *stream = new CUstream_st;  // kept for ever: Line knows streams by their address
  (*stream)->is_blocking = is_blocking;
  device().streams.insert(*stream);
}

void run_stream(cudaStream_t handle, const char* what) {
  CUstream_st& stream = stream_of(handle);
  refuse_in_capture(stream, what);
  if (handle == nullptr) refuse_null_stream(what);
  run_until(stream.line.tails);
}

void refuse_captured(const CUevent_st& event, const char* what) {
  if (event.capture) break_capture(*event.capture, cudaErrorCapturedEvent, what);
}

bool is_done(const Line& line) {
  return std::none_of(line.tails.begin(), line.tails.end(), [](Id id) { return device().queue.has(id); });
}

/// Whether it was done. It then is: a program that asks again and again must not wait for ever.
void answer_query(const Line& line) {
  const bool was_done = is_done(line);
  run_until(line.tails);
  if (!was_done) throw Refused{cudaErrorNotReady, ""};
}

/// The tasks of a graph as one, for what runs beside the whole graph.
Task whole(const std::vector<Node>& nodes) {
  Task all{"a graph", {}, {}};
  for (const Node& node : nodes)
    all.accesses.insert(all.accesses.end(), node.task->accesses.begin(), node.task->accesses.end());
  return all;
}

void capture_graph(const CUgraphExec_st& exec, CUstream_st& stream) {
  Capture& capture = *stream.capture;
  if (!capture.is_valid) throw Refused{cudaErrorStreamCaptureInvalidated, "cudaGraphLaunch"};
  const Id first = capture.nodes.size();
  Line all = stream.line;
  for (Node node : exec.nodes) {
    for (Id& id : node.after) id += first;
    if (node.after.empty()) node.after = stream.line.tails;
    all.tails.push_back(capture.nodes.size());
    capture.nodes.push_back(std::move(node));
  }
  stream.line = all;
  add_task(&stream, whole(exec.nodes));
}

void launch_graph(CUgraphExec_st& exec, cudaStream_t handle) {
  Device& d = device();
  CUstream_st& stream = stream_of(handle);
  if (stream.capture) return capture_graph(exec, stream);
  if (handle == nullptr) refuse_null_stream("cudaGraphLaunch");
  std::vector<Id> first = stream.line.tails, ids;
  first.insert(first.end(), exec.last_launch.begin(), exec.last_launch.end());
  for (const Node& node : exec.nodes) {
    std::vector<Id> after = node.after.empty() ? first : std::vector<Id>();
    for (const Id i : node.after) after.push_back(ids[i]);
    ids.push_back(d.queue.add(node.task, after));
  }
  stream.line.tails.insert(stream.line.tails.end(), ids.begin(), ids.end());
  add_task(handle, whole(exec.nodes));
  exec.last_launch = stream.line.tails;
}

template <class T>
void destroy(std::set<T*>& all, T* handle, const char* what) {
  if (all.erase(handle) == 0) throw Refused{cudaErrorInvalidResourceHandle, what};
}

}  // namespace
}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
using namespace gradus::standin;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return answer([&] { create(stream, true); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return answer([&] { create(stream, (flags & cudaStreamNonBlocking) == 0); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answer([&] {
    refuse_in_capture(stream_of(stream), "cudaStreamDestroy");
    destroy(device().streams, stream, "there is no such stream");
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return answer([&] { run_stream(stream, "cudaStreamSynchronize"); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return answer([&] {
    refuse_in_capture(stream_of(stream), "cudaStreamQuery");
    if (stream == nullptr) refuse_null_stream("cudaStreamQuery");
    answer_query(stream_of(stream).line);
  });
}
cudaError_t cudaDeviceSynchronize() {
  return answer([] {
    for (const CapturePtr& capture : device().captures) capture->is_valid = false;
    if (!device().captures.empty()) throw Refused{cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize"};
    run_all();
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return answer([&] { device().events.insert(*event = new CUevent_st); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answer([&] {
    destroy(device().events, event, "there is no such event");
    delete event;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answer([&] {
    refuse_captured(event_of(event), "cudaEventSynchronize");
    run_until(event_of(event).line.tails);
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return answer([&] {
    refuse_captured(event_of(event), "cudaEventQuery");
    answer_query(event_of(event).line);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return answer([&] {
    if (graph == nullptr) throw Refused{cudaErrorInvalidValue, "there is no graph"};
    *exec = new CUgraphExec_st{graph->nodes, {}};
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return answer([&] {
    if (exec == nullptr) throw Refused{cudaErrorInvalidValue, "there is no graph"};
    launch_graph(*exec, stream);
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
// NOLINTEND(readability-identifier-naming)
