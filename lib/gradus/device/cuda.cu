#include "gradus/device/cuda.hpp"

#include "gradus/gpu/language.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

__global__ void set_kernel(StepState* to, StepState from) {
  if (threadIdx.x == 0) *to = from;
}

}  // namespace

template <class R>
Cuda<R>::Cuda() : state_(reinterpret_cast<StepState*>(gpu::allocate(sizeof(StepState)))) {
  set(state);
}

template <class R>
Cuda<R>::~Cuda() {
  gpu::release(reinterpret_cast<std::byte*>(state_));
}

template <class R>
void Cuda<R>::set(const StepState& s) {
  require(!in_step, "set: call it between steps, not during a step");
  state = s;
  gpu::launch(set_kernel, {1, 32}, state_, s);  // passed as an argument: a copy would make the host wait
}

template <class R>
void Cuda<R>::reset() {
  const std::size_t before = kept.allocations() + scratch.allocations();
  due.clear();  // of a step that ended by an exception
  kept.settle();
  scratch.settle();
  if (kept.allocations() + scratch.allocations() != before) steps_.clear();
}

template class Cuda<float>;
template class Cuda<double>;

}  // namespace gradus
