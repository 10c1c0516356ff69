// When work runs, and in which order.

#include <set>

#include "cuda_standin/support.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Four bytes of device memory, which streams fill and copy.
struct Bytes4 {
  Anew anew;
  cudaStream_t one = new_stream(), other = new_stream();
  cudaEvent_t event = new_event();
  void* memory = new_memory(4);
  unsigned char host[4] = {1, 1, 1, 1};

  void fill(int value, cudaStream_t stream) { REQUIRE(cudaMemsetAsync(memory, value, 4, stream) == cudaSuccess); }
  void copy(cudaStream_t stream) {
    REQUIRE(cudaMemcpyAsync(host, memory, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  }
  void order(cudaStream_t earlier, cudaStream_t later) {
    REQUIRE(cudaEventRecord(event, earlier) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(later, event) == cudaSuccess);
  }
};

/// Kernels of the tests note their numbers in the host's memory, so that no access orders them.
struct Done {
  static inline std::vector<int> numbers;
  Done() { numbers.clear(); }
  void ask(int number, cudaStream_t stream) const {
    cudaLaunchConfig_t config{};
    config.blockDim.x = 32, config.stream = stream;
    const auto kernel = +[](int n) {
      if (threadIdx.x == 0) numbers.push_back(n);
    };
    REQUIRE(cudaLaunchKernelEx(&config, kernel, number) == cudaSuccess);
  }
};

}  // namespace

TEST_CASE("stand-in: work runs when the host waits for it, and not before") {
  Bytes4 b;
  b.fill(7, b.one);
  b.copy(b.one);
  CHECK(standin::waiting() == 2);
  CHECK(b.host[3] == 1);
  REQUIRE(cudaStreamSynchronize(b.other) == cudaSuccess);
  CHECK(b.host[3] == 1);
  REQUIRE(cudaStreamSynchronize(b.one) == cudaSuccess);
  CHECK(b.host[3] == 7);
  CHECK(standin::waiting() == 0);
}

TEST_CASE("stand-in: an event brings the work before it, and not the work behind it") {
  Bytes4 b;
  Done done;
  done.ask(1, b.one);
  REQUIRE(cudaEventRecord(b.event, b.one) == cudaSuccess);
  done.ask(2, b.one);
  REQUIRE(cudaStreamWaitEvent(b.other, b.event) == cudaSuccess);
  done.ask(3, b.other);
  REQUIRE(cudaStreamSynchronize(b.other) == cudaSuccess);
  CHECK(Done::numbers == std::vector<int>{1, 3});
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(Done::numbers == std::vector<int>{1, 3, 2});
}

TEST_CASE("stand-in: waiting for an event, for the device, and releasing memory") {
  for (const int way : {0, 1, 2}) {
    Bytes4 b;
    b.fill(5 + way, b.one);
    b.copy(b.one);
    REQUIRE(cudaEventRecord(b.event, b.one) == cudaSuccess);
    if (way == 0) CHECK(cudaEventSynchronize(b.event) == cudaSuccess);
    if (way == 1) CHECK(cudaDeviceSynchronize() == cudaSuccess);
    if (way == 2) CHECK(cudaFree(b.memory) == cudaSuccess);
    CHECK(b.host[0] == 5 + way);
  }
}

TEST_CASE("stand-in: a query says first that work is not done") {
  Bytes4 b;
  b.copy(b.one);
  REQUIRE(cudaEventRecord(b.event, b.one) == cudaSuccess);
  CHECK(cudaStreamQuery(b.one) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(b.one) == cudaSuccess);
  CHECK(cudaEventQuery(b.event) == cudaSuccess);
}

TEST_CASE("stand-in: two streams that nothing orders may not write what the other one uses") {
  Bytes4 b;
  b.fill(1, b.one);
  CHECK(cudaMemsetAsync(b.memory, 2, 4, b.other) == cudaErrorUnknown);
  CHECK_THAT(text_of(cudaErrorUnknown), contains("nothing orders two streams"));
  CHECK(cudaStreamSynchronize(b.one) == cudaErrorUnknown);  // a fault stays
  CHECK(cudaGetLastError() == cudaErrorUnknown);
  CHECK(cudaGetLastError() == cudaErrorUnknown);
}

TEST_CASE("stand-in: ordered by an event or by the host, they may; two that read may always") {
  Bytes4 b;
  b.fill(1, b.one);
  b.order(b.one, b.other);
  b.fill(2, b.other);
  REQUIRE(cudaStreamSynchronize(b.other) == cudaSuccess);
  b.fill(3, b.one);
  REQUIRE(cudaStreamSynchronize(b.one) == cudaSuccess);
  unsigned char more[4] = {};
  b.copy(b.one);
  CHECK(cudaMemcpyAsync(more, b.memory, 4, cudaMemcpyDeviceToHost, b.other) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK((b.host[2] == 3 && more[2] == 3));
}

TEST_CASE("stand-in: the null stream waits for blocking streams, and they for it; other streams do not") {
  Bytes4 b;
  const cudaStream_t blocking = new_stream(0);
  b.fill(4, blocking);
  REQUIRE(cudaMemsetAsync(b.memory, 6, 4) == cudaSuccess);
  b.copy(blocking);
  REQUIRE(cudaStreamSynchronize(blocking) == cudaSuccess);
  CHECK(b.host[0] == 6);
  b.fill(8, b.one);
  CHECK(cudaMemset(b.memory, 9, 4) == cudaErrorUnknown);
}

TEST_CASE("stand-in: what nothing orders runs in the order that was set, and a stream keeps its own") {
  Bytes4 b;
  const auto in_order = [&](standin::Order order, unsigned seed = 1) {
    standin::set_order(order, seed);
    Done done;
    for (const int n : {1, 2}) done.ask(n, b.one), done.ask(n + 2, b.other);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    return Done::numbers;
  };
  using standin::Order;
  CHECK(in_order(Order::as_asked) == std::vector<int>{1, 3, 2, 4});
  CHECK(in_order(Order::latest_first) == std::vector<int>{3, 4, 1, 2});
  std::set<std::vector<int>> found;
  for (unsigned seed = 1; seed <= 40; ++seed) found.insert(in_order(Order::shuffled, seed));
  CHECK(found.size() == 6);  // all that keep 1 before 2, and 3 before 4
}

TEST_CASE("stand-in: copies name the right side, and lie in one piece of memory") {
  Bytes4 b;
  CHECK(cudaMemcpy(b.host, b.memory, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(b.memory, b.host, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(b.host, b.memory, 5, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK_THAT(text_of(cudaErrorInvalidValue), contains("past the end"));
  CHECK(cudaMemsetAsync(b.host, 0, 4, b.one) == cudaErrorInvalidValue);
}

TEST_CASE("stand-in: memory that is used after it was released is a fault") {
  Bytes4 b;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaStreamBeginCapture(b.one, cudaStreamCaptureModeGlobal) == cudaSuccess);
  b.fill(1, b.one);
  REQUIRE(cudaStreamEndCapture(b.one, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  REQUIRE(cudaFree(b.memory) == cudaSuccess);
  CHECK(cudaMemsetAsync(b.memory, 0, 4, b.one) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphLaunch(exec, b.one) == cudaSuccess);
  CHECK(cudaStreamSynchronize(b.one) == cudaErrorIllegalAddress);
}

TEST_CASE("stand-in: handles and memory that do not exist are refused; too much memory is an error that passes") {
  Bytes4 b;
  CHECK(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(b.host)) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(reinterpret_cast<cudaEvent_t>(b.host), b.one) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFree(b.host) == cudaErrorInvalidValue);
  void* more = b.host;
  CHECK(cudaMalloc(&more, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  CHECK(more == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaStreamDestroy(b.other) == cudaSuccess);
  CHECK(cudaStreamSynchronize(b.other) == cudaErrorInvalidResourceHandle);
}
