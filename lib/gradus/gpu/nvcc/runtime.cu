#include <cuda_runtime.h>
#include <cxxabi.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <type_traits>
#include <utility>

#include "gradus/gpu/language.hpp"
#include "gradus/gpu/no_gpu.hpp"
#include "gradus/gpu/runtime.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu {

namespace {

/// Faults of a kernel are reported by whatever call comes after it.
bool is_of_a_kernel(cudaError_t result) {
  switch (result) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

bool launches_wait() {
  static const bool wait = std::getenv("CUDA_LAUNCH_BLOCKING") != nullptr;
  return wait;
}

/// "gradus::(anonymous namespace)::adam_kernel<float>(...)" without the arguments; "" if CUDA does not say it. CUDA before 12.3
/// has no such function.
std::string name_of_kernel([[maybe_unused]] const void* kernel) {
  const char* mangled = nullptr;
#if CUDART_VERSION >= 12030
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess) return "";
#endif
  if (mangled == nullptr) return "";
  int status = 0;
  char* const plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = plain == nullptr ? mangled : plain;
  std::free(plain);
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);  // a template's name tells what it returns
  return name.substr(0, name.rfind("(gradus"));
}

std::string launch_of(const std::string& name) {
  return name.empty() ? "a kernel's launch" : "the launch of " + name;
}

std::string why_no_gpu(cudaError_t counted) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (counted == cudaErrorInsufficientDriver) return unfit_driver(driver, CUDART_VERSION);
  if (counted == cudaErrorNoDevice || counted == cudaSuccess)
    return no_gpu_counted(std::getenv("CUDA_VISIBLE_DEVICES"));
  return std::string("no NVIDIA GPU: ") + cudaGetErrorString(counted);
}

__global__ void any_kernel() {}

/// The thread that records on the stream, or none. Work from another thread would become part of the recording.
std::atomic<std::thread::id> recorder{};

/// The default stream cannot be recorded, so the project uses its own.
cudaStream_t new_stream() {
  cudaStream_t s = nullptr;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "the GPU's stream");
  return s;
}

cudaStream_t first_stream() {
  static const cudaStream_t the = new_stream();
  return the;
}

/// The stream of second branches, and the events that order it with the first one. All threads share them, as they share the
/// first stream: then a wait for another thread's event waits for more work, and never for less.
struct SecondStream {
  cudaStream_t stream = new_stream();
  cudaEvent_t begun = nullptr, ended = nullptr;

  SecondStream() {
    for (cudaEvent_t* const event : {&begun, &ended})
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "an event of the GPU");
  }
};
static_assert(std::is_trivially_destructible_v<SecondStream>, "nothing may call CUDA after main");
const SecondStream& second_stream() {
  static const SecondStream the;
  return the;
}
thread_local bool in_second = false;

std::atomic<bool> early_starts_allowed{false};

/// Work on `later` waits for all work so far on `earlier`.
void order(cudaEvent_t event, cudaStream_t earlier, cudaStream_t later) {
  check(cudaEventRecord(event, earlier), "the order of two branches");
  check(cudaStreamWaitEvent(later, event), "the order of two branches");
}
}  // namespace

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that the next launch does not report it again
  const char* const hint =
      is_of_a_kernel(result) && !launches_wait()
          ? ", in a kernel that was launched before; with CUDA_LAUNCH_BLOCKING=1 its name is here"
          : "";
  fail(std::string(what) + ": " + cudaGetErrorString(result) + hint);
}

void check_grid(const void* kernel, const Grid& grid) {
  const std::string why = refused_grid(grid.blocks, grid.threads);
  if (!why.empty()) fail(launch_of(name_of_kernel(kernel)) + ": " + why);
}

std::string name_before_launch(const void* kernel) { return launches_wait() ? name_of_kernel(kernel) : ""; }

void check_launch(const void* kernel, const std::string& name) {
  const cudaError_t result = cudaGetLastError();
  if (result == cudaSuccess) return;
  check(result, launch_of(name.empty() ? name_of_kernel(kernel) : name).c_str());
}

cudaStream_t stream() {
  const std::thread::id who = recorder;
  require(who == std::thread::id{} || who == std::this_thread::get_id(), one_stream);
  return in_second ? second_stream().stream : first_stream();
}
bool is_in_second_branch() { return in_second; }

void allow_early_starts(bool on) { early_starts_allowed = on; }
bool starts_early() {
  static const bool can = [] {
    int device = 0, major = 0;
    cudaFuncAttributes code{};
    check(cudaGetDevice(&device), "the GPU");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "the GPU");
    check(cudaFuncGetAttributes(&code, any_kernel), "a kernel's attributes");
    return major >= 9 && code.ptxVersion >= 90;  // a newer GPU can run older code, which does not wait
  }();
  return can && early_starts_allowed;
}

std::size_t most_shared_bytes() {
  static const int most = [] {
    int device = 0, bytes = 0;
    check(cudaGetDevice(&device), "the GPU");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "the GPU");
    return bytes;
  }();
  return static_cast<std::size_t>(most);
}

/// Without this attribute CUDA refuses a launch with more than 48 KiB. It belongs to the kernel and not to the stream, so it may
/// be set while a step is recorded.
void allow_shared_of(const void* kernel) {
  static std::mutex one_at_a_time;
  static std::set<const void*> allowed;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (!allowed.insert(kernel).second) return;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "a kernel's attributes");
  const std::size_t dynamic =
      most_shared_bytes() - attributes.sharedSizeBytes;  // the rest is the kernel's own arrays
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamic)),
        "shared memory of more than 48 KiB");
}

std::string what_is_missing() {
  int devices = 0;
  cudaFuncAttributes attributes{};
  std::string missing;
  if (const cudaError_t result = cudaGetDeviceCount(&devices); result != cudaSuccess || devices == 0) {
    missing = why_no_gpu(result);
  } else if (const cudaError_t code = cudaFuncGetAttributes(&attributes, any_kernel); code != cudaSuccess) {
    const bool has_no_code = code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction;
    missing = std::string(has_no_code ? "this program was not built for this GPU: "
                                      : "the NVIDIA GPU cannot be used: ") +  // another process has it, for example
              cudaGetErrorString(code);
  }
  cudaGetLastError();  // clears the error
  return missing;
}

std::string device_text() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "the GPU");
  check(cudaGetDeviceProperties(&properties, device), "the GPU");
  check(cudaDriverGetVersion(&driver), "the GPU's driver");
  check(cudaRuntimeGetVersion(&runtime), "CUDA");
  return std::string(properties.name) + ", driver for CUDA " + cuda_version(driver) + ", CUDA " +
         cuda_version(runtime);
}

std::byte* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes == 0 ? 1 : bytes), "device memory");
  return static_cast<std::byte*>(memory);
}
void release(std::byte* memory) noexcept { cudaFree(memory); }
void allow(std::byte*, std::size_t) noexcept {}
void forbid(std::byte*, std::size_t) noexcept {}

void upload(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream()), "a copy to the GPU");
  check(cudaStreamSynchronize(stream()), "a copy to the GPU");
}

void download(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream()), "a copy from the GPU");
  check(cudaStreamSynchronize(stream()), "a copy from the GPU");
}

void set_bytes(void* device, int value, std::size_t bytes) {
  if (bytes != 0) check(cudaMemsetAsync(device, value, bytes, stream()), "filling memory of the GPU");
}

struct Recording::Graph {
  cudaGraphExec_t exec = nullptr;
  bool recording = false;
};

Recording::Recording() : graph_(std::make_unique<Graph>()) {}
Recording::~Recording() {
  stop();
  if (graph_->exec != nullptr) cudaGraphExecDestroy(graph_->exec);
}

void Recording::begin() {
  const cudaStream_t all = stream();
  recorder = std::this_thread::get_id();  // set first, so that no other thread adds work to the recording
  const cudaError_t began = cudaStreamBeginCapture(all, cudaStreamCaptureModeThreadLocal);
  graph_->recording = began == cudaSuccess;
  if (!graph_->recording) recorder = std::thread::id{};
  check(began, "a recording");
}

void Recording::end() {
  cudaGraph_t graph = nullptr;
  graph_->recording = false;
  const cudaError_t ended = cudaStreamEndCapture(stream(), &graph);
  recorder = std::thread::id{};
  check(ended, "a recording");
  const cudaError_t result = cudaGraphInstantiate(&graph_->exec, graph, 0);
  cudaGraphDestroy(graph);
  check(result, "a recording");
}

void Recording::replay() { check(cudaGraphLaunch(graph_->exec, stream()), "a replay"); }

bool Recording::begin_comparison() { return false; }
void Recording::end_comparison() {}

void Recording::stop() {
  if (!std::exchange(graph_->recording, false)) return;
  cudaGraph_t rest = nullptr;
  if (cudaStreamEndCapture(stream(), &rest) == cudaSuccess) cudaGraphDestroy(rest);
  recorder = std::thread::id{};
  cudaGetLastError();  // the error of a recording that failed
}

SecondBranch::SecondBranch() {
  order(second_stream().begun, stream(), second_stream().stream);
  in_second = true;
}
SecondBranch::~SecondBranch() { in_second = false; }
JoinedBranches::JoinedBranches() { stream(); }
/// A destructor cannot throw. If these calls fail, the stream has failed, and the next call on it says so.
JoinedBranches::~JoinedBranches() {
  cudaEventRecord(second_stream().ended, second_stream().stream);
  cudaStreamWaitEvent(first_stream(), second_stream().ended);
}
bool branches_in_order() { return in_second; }

}  // namespace gradus::gpu
