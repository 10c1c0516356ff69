#include "gradus/gpu/host/fiber.hpp"

#include <sys/mman.h>

#include <new>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace gradus::gpu::host {
namespace {
Fiber* entering = nullptr;  // the fiber that the running switch enters
}

#if defined(__x86_64__)
// Saves the registers that a function must preserve on the current stack, and the top of that stack in *from; then
// continues at `to`. Fifteen instructions. The portable version below makes a system call each time and takes
// several times as long.
extern "C" void gradus_switch_stacks(void** from, void* to);
asm(R"(.pushsection .text
.globl gradus_switch_stacks
.type gradus_switch_stacks, @function
gradus_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.popsection
)");

static void switch_contexts(void** from, void* to) { gradus_switch_stacks(from, to); }

/// Makes a stack that looks as if `entry` had been interrupted at its first instruction: six registers, its
/// address, and a null address above it, which ends backtraces.
static void* first_context(std::byte* stack, std::size_t bytes, void (*entry)()) {
  auto** const top = reinterpret_cast<void**>(stack + bytes) - 8;
  for (int i = 0; i < 8; ++i) top[i] = nullptr;
  top[6] = reinterpret_cast<void*>(entry);
  return top;
}
static void drop_context(void*) {}
#else
static void switch_contexts(void** from, void* to) {
  if (*from == nullptr) *from = new ucontext_t;
  swapcontext(static_cast<ucontext_t*>(*from), static_cast<ucontext_t*>(to));
}
static void* first_context(std::byte* stack, std::size_t bytes, void (*entry)()) {
  auto* const context = new ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = bytes;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}
static void drop_context(void* context) { delete static_cast<ucontext_t*>(context); }
#endif

Fiber::Fiber() : identity_(own_identity()) {}

Fiber::Fiber(void (*entry)()) : entry_(entry), identity_(new_identity()), bytes_(stack_bytes) {
  void* const memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(memory);
  mprotect(mapping_, guard_bytes, PROT_NONE);
  bottom_ = mapping_ + guard_bytes;
  context_ = first_context(mapping_ + guard_bytes, stack_bytes, &Fiber::begin);
}

Fiber::~Fiber() {
  drop_context(context_);
  if (mapping_ == nullptr) return;
  // The sanitizer's record of the fiber is kept: a fiber is dropped inside the layer, and the race detector ends no
  // thread that is Unwatched.
  allow(mapping_, guard_bytes + stack_bytes);  // what the frames of a stack that is dropped had forbidden
  munmap(mapping_, guard_bytes + stack_bytes);
}

void Fiber::switch_to(Fiber& to) {
  if (this == &to) return;
  to.from_ = this;
  entering = &to;
  leave_stack(&kept_, to.bottom_, to.bytes_);
  become(to.identity_);
  switch_contexts(&context_, to.context_);
  arrive();
}

/// Called directly after a switch. Tells the sanitizer which stack runs now, and stores the stack of a caller that
/// made no fiber.
void Fiber::arrive() {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  enter_stack(kept_, &bottom, &bytes);
  if (from_ != nullptr && from_->mapping_ == nullptr) from_->bottom_ = bottom, from_->bytes_ = bytes;
}

/// The first function that runs on a new fiber.
Fiber* Fiber::entered() {
  const Unwatched bookkeeping;
  entering->arrive();
  return entering;
}

void Fiber::begin() {
  Fiber* const self = entered();
  self->entry_();
}

}  // namespace gradus::gpu::host
