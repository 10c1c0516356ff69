// The rules of captures, as CUDA's documentation has them: which call is refused with which error, and what becomes of the capture.

#include <functional>
#include <thread>
#include <tuple>

#include "cuda_standin/support.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A stream that is captured, another one, and memory of both kinds.
struct Captured {
  Anew anew;
  cudaStream_t stream, other = new_stream();
  cudaEvent_t event = new_event(), before = new_event();
  void* memory = new_memory(4);
  void* locked = nullptr;
  char pageable[4] = {};
  cudaGraph_t graph = nullptr;

  explicit Captured(cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal,
                    unsigned flags = cudaStreamNonBlocking)
      : stream(new_stream(flags)) {
    REQUIRE(cudaMallocHost(&locked, 4) == cudaSuccess);
    REQUIRE(cudaEventRecord(before, other) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
  }
  cudaStreamCaptureStatus status() const {
    cudaStreamCaptureStatus found{};
    REQUIRE(cudaStreamIsCapturing(stream, &found) == cudaSuccess);
    return found;
  }
  cudaError_t fill(int value, cudaStream_t in) { return cudaMemsetAsync(memory, value, 4, in); }
  cudaError_t wait(cudaStream_t earlier, cudaStream_t later) {
    const cudaError_t recorded = cudaEventRecord(event, earlier);
    return recorded == cudaSuccess ? cudaStreamWaitEvent(later, event) : recorded;
  }
  cudaError_t end() { return cudaStreamEndCapture(stream, &graph); }
  /// The first byte, after all work.
  int value() {
    unsigned char found = 0;
    REQUIRE(cudaMemcpy(&found, memory, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
    return found;
  }
};

struct Illegal {
  const char* what;
  cudaError_t expected;
  std::function<cudaError_t(Captured&)> call;
};
const std::vector<Illegal> illegal_calls{
    {"cudaMalloc", cudaErrorStreamCaptureUnsupported, [](Captured& c) { return cudaMalloc(&c.locked, 1); }},
    {"cudaFree", cudaErrorStreamCaptureUnsupported, [](Captured& c) { return cudaFree(c.memory); }},
    {"cudaMallocHost", cudaErrorStreamCaptureUnsupported, [](Captured& c) { return cudaMallocHost(&c.locked, 1); }},
    {"cudaFreeHost", cudaErrorStreamCaptureUnsupported, [](Captured& c) { return cudaFreeHost(c.locked); }},
    {"cudaMemcpy", cudaErrorStreamCaptureUnsupported,
     [](Captured& c) { return cudaMemcpy(c.memory, c.pageable, 4, cudaMemcpyHostToDevice); }},
    {"cudaMemset", cudaErrorStreamCaptureUnsupported, [](Captured& c) { return cudaMemset(c.memory, 0, 4); }},
    {"to a GPU from pageable memory", cudaErrorStreamCaptureUnsupported,
     [](Captured& c) { return cudaMemcpyAsync(c.memory, c.pageable, 4, cudaMemcpyHostToDevice, c.stream); }},
    {"from a GPU to pageable memory", cudaErrorStreamCaptureUnsupported,
     [](Captured& c) { return cudaMemcpyAsync(c.pageable, c.memory, 4, cudaMemcpyDeviceToHost, c.stream); }},
    {"cudaStreamSynchronize", cudaErrorStreamCaptureUnsupported,
     [](Captured& c) { return cudaStreamSynchronize(c.stream); }},
    {"cudaStreamQuery", cudaErrorStreamCaptureUnsupported, [](Captured& c) { return cudaStreamQuery(c.stream); }},
    {"cudaStreamDestroy", cudaErrorStreamCaptureUnsupported,
     [](Captured& c) { return cudaStreamDestroy(c.stream); }},
    {"cudaDeviceSynchronize", cudaErrorStreamCaptureUnsupported, [](Captured&) { return cudaDeviceSynchronize(); }},
    {"waiting for a captured event", cudaErrorCapturedEvent,
     [](Captured& c) { return cudaEventRecord(c.event, c.stream), cudaEventSynchronize(c.event); }},
    {"asking for a captured event", cudaErrorCapturedEvent,
     [](Captured& c) { return cudaEventRecord(c.event, c.stream), cudaEventQuery(c.event); }},
    {"an event from outside", cudaErrorStreamCaptureIsolation,
     [](Captured& c) { return cudaStreamWaitEvent(c.stream, c.before); }},
    {"an end in another stream", cudaErrorStreamCaptureUnmatched,
     [](Captured& c) { return c.wait(c.stream, c.other), cudaStreamEndCapture(c.other, &c.graph); }},
};

}  // namespace

TEST_CASE("stand-in: a call that is illegal in a capture is refused, and ends the capture") {
  for (const Illegal& illegal : illegal_calls) {
    INFO(illegal.what);
    Captured c;
    REQUIRE(c.fill(1, c.stream) == cudaSuccess);
    CHECK(illegal.call(c) == illegal.expected);
    CHECK(c.status() == cudaStreamCaptureStatusInvalidated);
    CHECK(c.fill(2, c.stream) == cudaErrorStreamCaptureInvalidated);
    CHECK(c.wait(c.stream, c.other) == cudaErrorStreamCaptureInvalidated);
    CHECK(c.end() == cudaErrorStreamCaptureInvalidated);
    CHECK(c.graph == nullptr);
    CHECK(c.status() == cudaStreamCaptureStatusNone);
    REQUIRE(c.fill(3, c.stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(c.stream) == cudaSuccess);
    CHECK(c.value() == 3);
  }
}

TEST_CASE("stand-in: what a capture allows") {
  Captured c;
  CHECK(cudaMemcpyAsync(c.memory, c.locked, 4, cudaMemcpyHostToDevice, c.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(c.other) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(c.stream, new_event()) ==
        cudaSuccess);  // it was never recorded: there is nothing to wait for
  CHECK(c.status() == cudaStreamCaptureStatusActive);
  CHECK(c.end() == cudaSuccess);
}

TEST_CASE("stand-in: a graph runs when it is launched, each time with the arguments that were recorded") {
  Captured c;
  int value = 4;
  REQUIRE(c.fill(value, c.stream) == cudaSuccess);
  value = 5;
  REQUIRE(c.end() == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, c.graph) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(c.graph) == cudaSuccess);
  CHECK(c.value() == 0xFF);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(c.fill(9, c.stream) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, c.stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(c.stream) == cudaSuccess);
    CHECK(c.value() == 4);
  }
  REQUIRE(cudaGraphLaunch(exec, c.stream) == cudaSuccess);
  CHECK(c.fill(1, c.other) == cudaErrorUnknown);  // beside the graph
}

TEST_CASE("stand-in: a branch begins and ends with an event, and its work is part of the graph") {
  Captured c;
  REQUIRE(c.fill(1, c.stream) == cudaSuccess);
  REQUIRE(c.wait(c.stream, c.other) == cudaSuccess);
  REQUIRE(c.fill(2, c.other) == cudaSuccess);
  REQUIRE(c.wait(c.other, c.stream) == cudaSuccess);
  REQUIRE(c.end() == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, c.graph) == cudaSuccess);
  for (const auto order : {standin::Order::as_asked, standin::Order::latest_first}) {
    standin::set_order(order);
    REQUIRE(cudaGraphLaunch(exec, c.stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(c.stream) == cudaSuccess);
    CHECK(c.value() == 2);
  }
  cudaStreamCaptureStatus status{};
  REQUIRE(cudaStreamIsCapturing(c.other, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusNone);
}

TEST_CASE(
    "stand-in: a branch that the first stream does not wait for is an error, also if only its last work is left") {
  for (const int forgotten : {0, 1, 2}) {
    INFO(forgotten);
    Captured c;
    REQUIRE(c.wait(c.stream, c.other) == cudaSuccess);
    if (forgotten > 0) REQUIRE(c.fill(2, c.other) == cudaSuccess);
    if (forgotten > 1) {
      REQUIRE(c.wait(c.other, c.stream) == cudaSuccess);
      REQUIRE(c.fill(3, c.other) == cudaSuccess);
    }
    CHECK(c.end() == cudaErrorStreamCaptureUnjoined);
    CHECK(c.graph == nullptr);
  }
}

TEST_CASE("stand-in: two branches may not write what the other one uses") {
  Captured c;
  REQUIRE(c.wait(c.stream, c.other) == cudaSuccess);
  REQUIRE(c.fill(2, c.other) == cudaSuccess);
  CHECK(c.fill(3, c.stream) == cudaErrorUnknown);
}

TEST_CASE("stand-in: two captures cannot be joined") {
  Captured c(cudaStreamCaptureModeRelaxed), d(cudaStreamCaptureModeRelaxed);
  CHECK(c.wait(c.stream, d.stream) == cudaErrorStreamCaptureMerge);
  CHECK(c.end() == cudaErrorStreamCaptureInvalidated);
  CHECK(d.end() == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("stand-in: an event of a capture that is over orders nothing") {
  Captured c;
  REQUIRE(cudaEventRecord(c.event, c.stream) == cudaSuccess);
  REQUIRE(c.end() == cudaSuccess);
  CHECK(cudaStreamWaitEvent(c.other, c.event) == cudaErrorCapturedEvent);
}

TEST_CASE("stand-in: the null stream cannot be captured, nor used beside a captured blocking stream") {
  Captured c;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaMemsetAsync(c.memory, 1, 4, nullptr) == cudaSuccess);  // the captured stream does not block
  CHECK(c.end() == cudaSuccess);
  Captured blocking(cudaStreamCaptureModeRelaxed, 0);
  CHECK(cudaMemsetAsync(blocking.memory, 1, 4, nullptr) == cudaErrorStreamCaptureImplicit);
  CHECK(blocking.end() == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("stand-in: a mode says which threads may make unsafe calls, and who may end the capture") {
  using Mode = cudaStreamCaptureMode;
  const auto allocates = [] {
    void* memory = nullptr;
    return cudaMalloc(&memory, 1) == cudaSuccess;
  };
  const auto in_thread = [](auto&& f) {
    decltype(f()) result{};
    std::thread([&] { result = f(); }).join();
    return result;
  };
  for (const auto& [mode, own, others] : {std::tuple<Mode, bool, bool>{cudaStreamCaptureModeGlobal, false, false},
                                          {cudaStreamCaptureModeThreadLocal, false, true},
                                          {cudaStreamCaptureModeRelaxed, true, true}}) {
    INFO(mode);
    {
      const Captured c(mode);
      CHECK(in_thread(allocates) == others);
    }
    const Captured c(mode);
    CHECK(allocates() == own);
  }
  Captured c;
  cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;
  REQUIRE(cudaThreadExchangeStreamCaptureMode(&relaxed) == cudaSuccess);
  CHECK(allocates());
  REQUIRE(cudaThreadExchangeStreamCaptureMode(&relaxed) == cudaSuccess);
  CHECK(relaxed == cudaStreamCaptureModeRelaxed);
  CHECK(in_thread([&] { return c.end(); }) == cudaErrorStreamCaptureWrongThread);
  CHECK(c.end() == cudaSuccess);
  CHECK(c.end() == cudaErrorInvalidValue);  // it is over
}

TEST_CASE("stand-in: a graph in a capture becomes a part of the new graph") {
  Captured c;
  REQUIRE(c.fill(4, c.stream) == cudaSuccess);
  REQUIRE(c.end() == cudaSuccess);
  cudaGraphExec_t exec = nullptr, both = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, c.graph) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(c.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(c.fill(3, c.stream) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(exec, c.stream) == cudaSuccess);
  REQUIRE(c.end() == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&both, c.graph) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(both, c.stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(c.stream) == cudaSuccess);
  CHECK(c.value() == 4);
}
