#include <algorithm>

#include "cuda_standin/device.hpp"

namespace gradus::standin {
namespace {

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

bool is_own(const Capture& c) { return c.thread == std::this_thread::get_id(); }

/// See cudaThreadExchangeStreamCaptureMode in CUDA's documentation.
bool forbids_unsafe_calls(const Capture& c) {
  if (mode_of_thread == cudaStreamCaptureModeRelaxed) return false;
  if (is_own(c)) return c.mode != cudaStreamCaptureModeRelaxed;
  return mode_of_thread == cudaStreamCaptureModeGlobal && c.mode == cudaStreamCaptureModeGlobal;
}

/// Whether the work of each stream of the capture comes before the end of its first stream.
bool is_joined(const Capture& c) {
  const auto& known = c.origin->line.before;
  return std::all_of(c.streams.begin(), c.streams.end(), [&](const cudaStream_t s) {
    const auto at = known.find(s);
    return s == c.origin || (at != known.end() && at->second >= s->line.before.at(s));
  });
}

void enter(CUstream_st& stream, const CapturePtr& capture, Line line) {
  stream.outside = std::move(stream.line);
  stream.line = std::move(line);
  stream.capture = capture;
  capture->streams.insert(&stream);
  ++stream.line.before[&stream];  // so that a branch without work must be joined, too
}

void begin(cudaStream_t handle, cudaStreamCaptureMode mode) {
  if (handle == nullptr) throw Refused{cudaErrorStreamCaptureImplicit, "the null stream cannot be captured"};
  CUstream_st& stream = stream_of(handle);
  if (stream.capture) throw Refused{cudaErrorInvalidValue, "the stream is captured already"};
  const auto capture = std::make_shared<Capture>();
  capture->origin = handle, capture->mode = mode, capture->thread = std::this_thread::get_id();
  device().captures.insert(capture);
  enter(stream, capture, {});
}

void end(CUstream_st& stream, cudaGraph_t* graph) {
  *graph = nullptr;
  const CapturePtr capture = stream.capture;
  if (!capture) throw Refused{cudaErrorInvalidValue, "the stream is not captured"};
  if (capture->mode != cudaStreamCaptureModeRelaxed && !is_own(*capture))
    throw Refused{cudaErrorStreamCaptureWrongThread, "another thread began the capture"};
  if (&stream != capture->origin)
    break_capture(*capture, cudaErrorStreamCaptureUnmatched, "it began in another stream");
  const bool joined = is_joined(*capture);
  release_streams(*capture);
  device().captures.erase(capture);
  if (!capture->is_valid) throw Refused{cudaErrorStreamCaptureInvalidated, "an earlier call broke the capture"};
  if (!joined) throw Refused{cudaErrorStreamCaptureUnjoined, "the first stream does not wait for a branch"};
  *graph = new CUgraph_st{capture->nodes};
}

}  // namespace

void break_capture(Capture& capture, cudaError_t code, const std::string& why) {
  capture.is_valid = false;
  throw Refused{code, why};
}

void release_streams(Capture& capture) {
  for (const cudaStream_t stream : capture.streams) {
    stream->line = std::move(stream->outside);
    stream->outside = {};
    stream->capture = nullptr;
  }
  capture.is_over = true;
}

void refuse_in_capture(CUstream_st& stream, const char* what) {
  if (stream.capture) break_capture(*stream.capture, cudaErrorStreamCaptureUnsupported, what);
}

void refuse_if_unsafe(const char* what) {
  bool refused = false;
  for (const CapturePtr& capture : device().captures) {
    if (!forbids_unsafe_calls(*capture)) continue;
    capture->is_valid = false;
    refused = true;
  }
  if (refused) throw Refused{cudaErrorStreamCaptureUnsupported, what};
}

void refuse_null_stream(const char* what) {
  bool refused = false;
  for (const CapturePtr& capture : device().captures) {
    for (const cudaStream_t stream : capture->streams) {
      if (!stream->is_blocking) continue;
      capture->is_valid = false;
      refused = true;
    }
  }
  if (refused) throw Refused{cudaErrorStreamCaptureImplicit, what};
}

}  // namespace gradus::standin

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
using namespace gradus::standin;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return answer([&] { begin(stream, mode); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return answer([&] { end(stream_of(stream), graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return answer([&] {
    const CapturePtr& capture = stream_of(stream).capture;
    *status = !capture            ? cudaStreamCaptureStatusNone
              : capture->is_valid ? cudaStreamCaptureStatusActive
                                  : cudaStreamCaptureStatusInvalidated;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, mode_of_thread);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return answer([&] {
    CUevent_st& e = event_of(event);
    CUstream_st& s = stream_of(stream);
    if (stream == nullptr) refuse_null_stream("cudaEventRecord");
    if (s.capture && !s.capture->is_valid) throw Refused{cudaErrorStreamCaptureInvalidated, "cudaEventRecord"};
    e.was_recorded = true, e.line = s.line, e.capture = s.capture;
  });
}

/// The rules of CUDA's documentation for events at the border of a capture.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return answer([&] {
    const CUevent_st& e = event_of(event);
    CUstream_st& s = stream_of(stream);
    if (stream == nullptr) refuse_null_stream("cudaStreamWaitEvent");
    if (s.capture && !s.capture->is_valid) throw Refused{cudaErrorStreamCaptureInvalidated, "cudaStreamWaitEvent"};
    if (!e.was_recorded) return;
    if (e.capture && e.capture->is_over) throw Refused{cudaErrorCapturedEvent, "its capture is over"};
    if (s.capture == e.capture) return s.line.join(e.line);
    if (s.capture && e.capture) {
      e.capture->is_valid = false;
      break_capture(*s.capture, cudaErrorStreamCaptureMerge, "the event belongs to another capture");
    }
    if (s.capture)
      break_capture(*s.capture, cudaErrorStreamCaptureIsolation, "the event was recorded outside of the capture");
    if (!e.capture->is_valid) throw Refused{cudaErrorStreamCaptureInvalidated, "cudaStreamWaitEvent"};
    if (stream == nullptr)
      break_capture(*e.capture, cudaErrorStreamCaptureImplicit, "the null stream cannot be captured");
    enter(s, e.capture, e.line);
  });
}
// NOLINTEND(readability-identifier-naming)
